import type { DeadLettersReply, ReadModelsReply } from '@mneme/contracts';
import { atFullLength } from '@mneme/local-stack/testing';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acknowledge, createTableWebhook } from '../system/deliveries.ts';
import { eventually } from '../system/eventually.ts';
import type { Person } from '../system/person.ts';
import { openQdrant } from '../system/stores/qdrant.ts';
import { tokenOf } from '../system/tokens.ts';
import { describeInBrowser, hold, newUser, startConsole, type TestConsole } from './browser.ts';

let console: TestConsole;
let operator: Person;

/** As many as take a rebuild long enough to be noticed. */
const rebuiltDeliveries = 2_000;
const deliveriesAtOnce = 100;

/** Publishes what no reader can read, so that it becomes a dead letter. */
async function publishNonsense(): Promise<void> {
  const connection = await connect({ servers: console.system.stack.natsUrl });
  await connection.request('access.key.77', 'no event at all');
  await connection.close();
}

/** Removes what memories are found by, as a store does that was restored from an older backup. */
async function loseVectors(): Promise<void> {
  const client = openQdrant(console.system.stack.qdrantUrl);
  // What belongs to no agent tells which read model the store belongs to.
  const filter = { must_not: [{ is_empty: { key: 'agent' } }] };
  const { collections } = await client.getCollections();
  for (const { name } of collections) await client.delete(name, { wait: true, filter });
}

async function deliverMany(person: Person): Promise<void> {
  const webhook = await createTableWebhook(person);
  for (let sent = 0; sent < rebuiltDeliveries; sent += deliveriesAtOnce) {
    const payloads = Array.from({ length: deliveriesAtOnce }, (_, index) => JSON.stringify({ total: sent + index }));
    await Promise.all(payloads.map((payload) => acknowledge(console.system.http, webhook, payload)));
  }
}

async function isRebuilding(wanted: string): Promise<boolean> {
  const { body } = await operator.http.get<ReadModelsReply>('/api/v3/system/read-models');
  const found = body.read_models.find(({ name }) => name === wanted);
  return found?.versions.some(({ state }) => state === 'rebuilding') ?? false;
}

/** Lets MongoDB write nothing for a while, so that a rebuild stays where it is. */
async function holdWrites(): Promise<AsyncDisposable> {
  const mongo = await new MongoClient(console.system.stack.mongodbUrl).connect();
  const admin = mongo.db('admin');
  await admin.command({ fsync: 1, lock: true });
  return {
    [Symbol.asyncDispose]: async () => {
      await admin.command({ fsyncUnlock: 1 });
      await mongo.close();
    },
  };
}

describeInBrowser('system', () => {
  beforeAll(async () => {
    console = await startConsole({ OPERATORS: '1', WEBHOOK_RATE_LIMIT: '100000' });
    operator = { userId: 1, http: console.system.http.as(tokenOf(1)), spaceId: 0, projectId: 0 };
  });
  afterAll(() => console?.release());

  test('is shown to operators only', async () => {
    const person = await newUser(console);
    await using screen = await console.open({ as: person, path: '/system', allowedErrors: /403/ });
    const { page } = screen;
    await page.getByText(`make user ${person.userId} one`).waitFor();
    expect(await page.getByRole('link', { name: 'System' }).count()).toBe(0);
    await screen.expectAccessible();
  });

  test('shows services, where the address names no part of it, and streams, and rebuilds and rolls back a read model by keyboard alone', async () => {
    await using screen = await console.open({ as: operator, path: '/system?tab=bogus' });
    const { page } = screen;
    await page.getByRole('link', { name: 'System' }).waitFor();
    for (const service of ['gateway', 'memory-ingest', 'memory-query', 'keys', 'webhook']) {
      await page.getByRole('row', { name: new RegExp(`^${service} Ready 1`) }).waitFor();
    }
    expect(await page.getByRole('tab', { name: 'Services', selected: true }).count()).toBe(1);
    await screen.expectAccessible();
    await page.getByRole('tab', { name: 'Services' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('row', { name: /^ACCESS Events/ }).waitFor();
    const panel = page.getByRole('tabpanel');
    await screen.expectAccessible(panel);
    expect(new URL(page.url()).search).toBe('?tab=streams');

    await page.keyboard.press('ArrowRight');
    const card = page.getByRole('article', { name: 'access', exact: true });
    const versions = () => card.getByText(/^Version/).allTextContents();
    await expect.poll(versions).not.toEqual([]);
    // The one that answers; tests before this one may have rebuilt it too.
    const first = Number((await versions())[0]?.replace('Version ', ''));
    await screen.expectAccessible(panel);
    await screen.screenshot('system');
    await card.getByRole('button', { name: /lane/ }).focus();
    await page.keyboard.press('Enter');
    await card.getByRole('table').waitFor();
    await card.getByRole('button', { name: 'Rebuild' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Rebuild access?' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const task = page.getByRole('article', { name: 'Rebuild of access' });
    await task.getByText('Completed').waitFor();
    await screen.expectAccessible(panel);
    await page.getByRole('tab', { name: 'Tasks' }).focus();
    for (let steps = 0; steps < 2; steps += 1) await page.keyboard.press('ArrowLeft');
    await card.getByText(`Version ${first + 1}`).waitFor();
    await card.getByRole('button', { name: 'Roll back' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Roll access back?' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(versions).toEqual([`Version ${first}`, `Version ${first + 1}`]);
  });

  test.runIf(atFullLength)(
    'verifies a read model, says what was wrong and is repaired, and shows how far a rebuild is, and that it is done',
    async () => {
      const person = await newUser(console);
      await deliverMany(person);
      const items = [{ content: 'Ana likes tea.' }, { content: 'Rui plays chess.' }];
      await person.http.post('/api/memories/batch', { agent_id: 'ana', document_id: 'chat', items });
      const find = async () => {
        const { body } = await person.http.post('/api/search', { agent_id: 'ana', query: 'Who likes tea?' });
        return body.results.length;
      };
      expect(await find()).toBeGreaterThan(0);
      await loseVectors();
      expect(await find()).toBe(0);
      await using screen = await console.open({ as: operator, path: '/system?tab=read-models' });
      const { page } = screen;
      const resultOf = async (task: Locator) =>
        JSON.parse((await task.getByRole('region', { name: /Result/ }).textContent()) ?? '');
      const memory = page.getByRole('article', { name: 'memory', exact: true });
      await memory.getByRole('button', { name: 'Verify' }).click();
      await page.getByRole('dialog', { name: 'Verify memory?' }).getByRole('button', { name: 'Verify' }).click();
      const verification = page.getByRole('article', { name: 'Verification of memory' });
      await verification.getByText('Completed').waitFor();
      const { checked, repaired } = await resultOf(verification);
      expect(repaired).toMatchObject({ 'vectors without a unit': 0, 'units without a vector': checked });
      expect(await find()).toBeGreaterThan(0);

      await page.getByRole('tab', { name: 'Read models' }).click();
      const webhook = page.getByRole('article', { name: 'webhook', exact: true });
      await webhook.getByRole('button', { name: 'Rebuild' }).click();
      await page.getByRole('dialog', { name: 'Rebuild webhook?' }).getByRole('button', { name: 'Rebuild' }).click();
      const task = page.getByRole('article', { name: 'Rebuild of webhook' });
      const progress = task.getByRole('progressbar', { name: 'webhook, version 2' });
      await eventually('the rebuild is under way', () => isRebuilding('webhook'));
      {
        await using _held = await holdWrites();
        await task.getByText('Running').waitFor();
        await progress.waitFor();
        expect(Number(await progress.getAttribute('aria-valuenow'))).toBeLessThanOrEqual(100);
      }
      await task.getByText('Completed').waitFor();
      expect(await progress.count()).toBe(0);
      expect(await resultOf(task)).toMatchObject({ version: 2 });
      await page.getByRole('tab', { name: 'Read models' }).click();
      await webhook.getByText('Version 2').waitFor();
    },
  );

  test('shows dead letters with their reason, open while they are retried and one is asked, and discards them', async () => {
    await publishNonsense();
    await using screen = await console.open({
      as: operator,
      path: '/system?tab=dead-letters',
      allowedErrors: /409/,
      width: 360,
    });
    const { page } = screen;
    const open = page.getByRole('button', { name: /Show dead letter/ });
    const id = (await open.first().textContent())?.trim();
    await screen.expectAccessible();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await open.first().click();
    const dialog = page.getByRole('dialog', { name: /^Dead letter/ });
    await dialog.getByText('it has no headers').waitFor();
    const { sent, release } = await hold(page, 'POST', `/api/v3/system/dead-letters/${id}/retry`);
    await dialog.getByRole('button', { name: 'Retry' }).focus();
    await page.keyboard.press('Enter');
    await sent;
    const closing = dialog.getByRole('button', { name: 'Close', disabled: true });
    await closing.waitFor();
    await page.keyboard.press('Escape');
    expect(await closing.count()).toBe(1);
    release();
    await dialog
      .getByRole('alert')
      .getByText(/cannot be read/)
      .waitFor();
    await screen.expectAccessible(dialog);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Retry');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    const question = page.getByRole('dialog', { name: /^Discard dead letter/ });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Close', disabled: false }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const left = async () => (await operator.http.get<DeadLettersReply>('/api/v3/system/dead-letters')).body.total;
    while ((await left()) > 0) {
      await open.first().click();
      await dialog.getByRole('button', { name: 'Discard' }).click();
      await question.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    }
    await page.getByText('There are no dead letters').waitFor();
  });
});
