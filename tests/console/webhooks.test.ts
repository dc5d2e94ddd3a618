import { text } from 'node:stream/consumers';
import { atFullLength, scaled } from '@mneme/local-stack/testing';
import { MongoClient } from 'mongodb';
import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { acknowledge, createTableWebhook, createWebhook, logsOf, rowsOf, webhooksOf } from '../system/deliveries.ts';
import { eventually } from '../system/eventually.ts';
import type { Person } from '../system/person.ts';
import { tokenOf } from '../system/tokens.ts';
import { describeInBrowser, hold, networkName, newUser, startConsole, type TestConsole } from './browser.ts';
import { chooseOption } from './keyboard.ts';

let console: TestConsole;

const hostile = '<img src=x onerror="document.title=1">javascript:alert(1)</script>';

const manyRows = scaled({ full: 100_000, short: 10_000 });
/** Above the sequences of all deliveries, which are the ids of other rows. */
const firstRowId = 1_000_000_000;
const rowsAtOnce = 10_000;

/** A table whose rows are written straight into the read model: as deliveries they would take half a minute. */
async function newLongTable(person: Person): Promise<number> {
  const columns = [{ column_name: 'reading', type: 'number' }];
  const path = `/api/v3/projects/${person.projectId}/tables`;
  const { body } = await person.http.post<{ id: number }>(path, { name: 'Measurements', columns });
  const mongo = await new MongoClient(console.system.stack.mongodbUrl).connect();
  onTestFinished(() => mongo.close());
  const db = mongo.db('mneme_webhooks');
  // All versions: a rebuild by an earlier test file leaves two, either of which may answer.
  for (const { name } of await db.listCollections({ name: /^webhook_calls@/ }, { nameOnly: true }).toArray()) {
    const deliveries = db.collection<{ _id: number; tableId: number }>(name);
    for (let first = 0; first < manyRows; first += rowsAtOnce) {
      const rows = Array.from({ length: rowsAtOnce }, (_, index) => rowOf(body.id, first + index));
      await deliveries.insertMany(rows, { ordered: false });
    }
    onTestFinished(async () => void (await deliveries.deleteMany({ tableId: body.id })));
    const tables = db.collection<{ _id: number }>(name.replace('calls', 'tables'));
    await tables.updateOne({ _id: body.id }, { $set: { rowCount: manyRows } });
  }
  return body.id;
}

function rowOf(tableId: number, index: number) {
  const payload = JSON.stringify({ reading: index });
  const at = new Date(1_700_000_000_000 + 1_000 * index);
  const received = { tableId, payload, bytes: payload.length, sourceIp: '127.0.0.1', createdAt: at };
  return { _id: firstRowId + index, ...received, status: 'processed', processedAt: at, error: null };
}

/** The file that comes when something is clicked. */
async function downloaded(page: Page, clicked: Locator): Promise<{ name: string; content: string }> {
  const downloading = page.waitForEvent('download');
  await clicked.click();
  const download = await downloading;
  return { name: download.suggestedFilename(), content: await text(await download.createReadStream()) };
}

describeInBrowser('webhooks', () => {
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console?.release());

  test('are created, tried with a test delivery, and show deliveries as they come', async () => {
    const person = await newUser(console);
    await using screen = await console.open({ as: person, path: '/webhooks' });
    const { page } = screen;
    await page.getByText('The project has no webhooks').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Orders');
    await dialog.getByLabel('Name of the table').fill('orders');
    await screen.expectAccessible(dialog);
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    const [webhook] = await webhooksOf(person);
    if (!webhook) throw new Error('There is no webhook');
    expect(await page.getByRole('region', { name: 'Address for deliveries' }).textContent()).toBe(
      `${console.system.http.url}/api/webhooks/incoming/${webhook.token}`,
    );
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('Nothing has been delivered yet').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('The delivery was accepted').waitFor();
    await page.getByText('1 delivery').waitFor();
    // From elsewhere, without anything being done here.
    // With names that every JavaScript object has, and that the row of the test delivery does not have.
    const payload = `{"note":${JSON.stringify(hostile)},"constructor":"a","__proto__":"b","hasOwnProperty":"c"}`;
    await acknowledge(console.system.http, webhook, payload);
    await page.getByText('2 deliveries').waitFor();
    await screen.expectAccessible();
    await screen.screenshot('webhook');
    await page
      .getByRole('button', { name: /Show delivery/ })
      .first()
      .click();
    expect(await dialog.getByRole('region', { name: 'Payload' }).textContent()).toBe(payload);
    await screen.expectAccessible(dialog);
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await dialog.getByText('The delivery was processed again: Processed.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Table: orders' }).click();
    await page.getByText('2 rows, 9 columns').waitFor();
    await page.getByRole('cell', { name: hostile, exact: true }).waitFor();
    await page
      .getByRole('button', { name: /Show row/ })
      .first()
      .click();
    expect(await dialog.getByRole('region', { name: 'note' }).textContent()).toBe(hostile);
    await screen.expectAccessible(dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.title()).toBe('Mneme');
  });

  test('that failed are replayed, and a webhook is changed and deleted, with the keyboard alone', async () => {
    const person = await newUser(console);
    const webhook = await createTableWebhook(person, { name: hostile });
    const tooDeep = `${'['.repeat(200)}${']'.repeat(200)}`;
    await acknowledge(console.system.http, webhook, tooDeep);
    await acknowledge(console.system.http, webhook, tooDeep);
    // A read that was under way may find the webhook deleted.
    await using screen = await console.open({ as: person, path: '/webhooks', allowedErrors: /status of 404/ });
    const { page } = screen;
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await page.getByRole('link', { name: /^<img/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 deliveries').waitFor();
    await page.getByRole('row', { name: /Error/ }).first().waitFor();
    await page.getByRole('combobox', { name: 'Show' }).focus();
    await chooseOption(page, 'Processed');
    await page.getByText('No delivery has this status').waitFor();
    await chooseOption(page, 'Error');
    await page.getByText('2 deliveries').waitFor();
    await page.getByRole('button', { name: 'Replay' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 of 2 replayed, 2 failed').waitFor();

    await page.getByRole('textbox', { name: 'Name', exact: true }).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Orders');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await press('Save');
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    await page.getByText('This webhook is inactive').waitFor();
    expect(await webhooksOf(person)).toMatchObject([{ name: 'Orders', is_active: 0 }]);
    await press('Delete');
    await page.getByRole('dialog', { name: 'Delete this webhook?' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('The project has no webhooks').waitFor();
    expect(await webhooksOf(person)).toEqual([]);
  });

  test.runIf(atFullLength)(
    'are read again while many are replayed, of which there may be none, and when one comes while a filter is read for the first time',
    async () => {
      const person = await newUser(console);
      const webhook = await createTableWebhook(person);
      await acknowledge(console.system.http, webhook, '{"total":1}');
      // As if it could not be processed before the replay.
      let isReplayed = false;
      const prepare = (page: Page) =>
        page.route('**/logs?*', async (route) => {
          if (isReplayed) return route.continue();
          const response = await route.fetch();
          await route.fulfill({ response, body: (await response.text()).replaceAll('"processed"', '"error"') });
        });
      const path = `/webhooks/${webhook.id}?project=${person.projectId}`;
      await using screen = await console.open({ as: person, path, prepare });
      const { page } = screen;
      await page.getByRole('cell', { name: 'Error', exact: true }).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      const none = page.getByRole('status').filter({ hasText: 'No delivery matches.' });
      await page.getByRole('button', { name: 'Replay' }).click();
      await none.waitFor();
      await page.getByRole('combobox', { name: 'Status' }).click();
      await page.getByRole('option', { name: 'Processed' }).click();
      isReplayed = true;
      await page.getByRole('button', { name: 'Replay' }).click();
      await page.getByText('1 of 1 replayed, 0 failed').waitFor();
      expect(await none.count()).toBe(0);
      await page.getByRole('cell', { name: 'Processed', exact: true }).waitFor();

      const [taken, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const takeOnce = async (route: Route) => {
        const response = await route.fetch();
        taken.resolve();
        await held.promise;
        await route.fulfill({ response });
      };
      await page.route('**/logs?*status=processed*', takeOnce, { times: 1 });
      await page.getByRole('combobox', { name: 'Show' }).click();
      await page.getByRole('option', { name: 'Processed' }).click();
      await taken.promise;
      await acknowledge(console.system.http, webhook, '{"total":2}');
      await expect.poll(async () => (await logsOf(person, webhook))[0]?.status).toBe('processed');
      // The page hears of it, which nothing shows while it waits for the first answer.
      await page.waitForTimeout(1_000);
      held.resolve();
      await page.getByText('2 deliveries').waitFor();
    },
  );

  test('are replayed many at a time: a replay under way is ended only by one that says so', async () => {
    const person = await newUser(console);
    const webhook = await createTableWebhook(person);
    await acknowledge(console.system.http, webhook, '{}');
    const underWay = { calls: 2, processed: 1, failed: 0, is_done: false, message: '1 of 2 deliveries replayed' };
    const prepare = (page: Page) =>
      page.route(`**/webhooks/${webhook.id}/replay`, (route) => route.fulfill({ json: underWay }));
    const path = `/webhooks/${webhook.id}?project=${person.projectId}`;
    await using screen = await console.open({ as: person, path, prepare });
    const { page } = screen;
    await page.getByText('1 of 2 replayed, 0 failed').waitFor();
    const replay = async () => {
      const answered = page.waitForResponse((response) => response.request().method() === 'POST');
      await page.getByRole('button', { name: 'Replay' }).click();
      return (await answered).request().postDataJSON();
    };
    expect(await replay()).toEqual({ status: 'error' });
    await page.getByRole('button', { name: 'Replay', disabled: false }).waitFor();
    const end = page.getByRole('checkbox', { name: 'End the replay under way' });
    await end.check();
    expect(await replay()).toEqual({ status: 'error', replace: true });
    await expect.poll(() => end.isChecked()).toBe(false);
  });

  test('stay open while they are replayed, once also if the answer is lost and the button pressed again', async () => {
    const person = await newUser(console);
    const webhook = await createTableWebhook(person);
    await acknowledge(console.system.http, webhook, '{}');
    const path = `/webhooks/${webhook.id}?project=${person.projectId}`;
    await using screen = await console.open({ as: person, path, allowedErrors: /ERR_FAILED/ });
    const { page } = screen;
    await page.getByRole('button', { name: /^Show delivery/ }).click();
    const [delivery] = await logsOf(person, webhook);
    const replayPath = `/api/v3/webhooks/${webhook.id}/logs/${delivery?.id}/replay`;
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith(replayPath)) keys.push(request.headers()['idempotency-key']);
    });
    await page.route(`**${replayPath}`, (route) => route.abort(), { times: 1 });
    const { sent, release } = await hold(page, 'POST', replayPath);
    const dialog = page.getByRole('dialog', { name: /^Delivery/ });
    const replay = dialog.getByRole('button', { name: 'Replay', disabled: false });
    await replay.focus();
    await page.keyboard.press('Enter');
    await sent;
    const closing = dialog.getByRole('button', { name: 'Close', disabled: true });
    await expect.poll(() => closing.count()).toBe(2);
    await page.keyboard.press('Escape');
    expect(await closing.count()).toBe(2);
    release();
    await dialog.getByRole('alert').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Replay');
    await page.keyboard.press('Enter');
    await dialog.getByRole('status').filter({ hasText: 'Processed' }).waitFor();
    expect(keys).toEqual([expect.any(String), keys[0]]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('fill tables that are sorted, filtered, scrolled and exported', async () => {
    const person = await newUser(console);
    const webhook = await createTableWebhook(person, { name: 'Orders', newTableName: 'orders' });
    const send = (index: number) =>
      acknowledge(console.system.http, webhook, JSON.stringify({ total: (index * 7) % 300, city: `City ${index}` }));
    const count = 300;
    for (let first = 0; first < count; first += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => send(first + index)));
    }
    expect(await rowsOf(person, webhook.table_id)).toHaveLength(count);
    const path = `/webhooks/tables/${webhook.table_id}?project=${person.projectId}`;
    await using screen = await console.open({ as: person, path });
    const { page } = screen;
    await page.getByText('300 rows, 5 columns').waitFor();
    const table = page.getByRole('table');
    const cells = (column: number) =>
      table.locator(`tbody tr[aria-rowindex] td:nth-child(${column})`).allTextContents();
    expect(await table.locator('tbody tr').count()).toBeLessThan(60);
    const lastRow = page.locator('tr[aria-rowindex="301"]').getByText(/^City \d+$/);
    await eventually('the last row is shown', async () => {
      await page.getByRole('region', { name: 'orders' }).focus();
      await page.keyboard.press('End');
      return await lastRow.isVisible();
    });
    await page.getByRole('button', { name: /^total/ }).click();
    await eventually('the smallest is shown first', async () => {
      await page.getByRole('region', { name: 'orders' }).focus();
      await page.keyboard.press('Home');
      return (await cells(6)).slice(0, 3).join() === '0,1,2';
    });
    await page.getByRole('button', { name: /^total/ }).click();
    await expect.poll(async () => (await cells(6)).slice(0, 3)).toEqual(['299', '298', '297']);
    await page.getByLabel('Filter').fill('city 29');
    await page.getByText('11 match').waitFor();
    await send(29);
    await page.getByText('12 match').waitFor();
    await screen.expectAccessible();
    await screen.screenshot('table');
    const { name, content } = await downloaded(page, page.getByRole('link', { name: 'Download CSV' }));
    expect([name, content.trim().split('\n').length]).toEqual(['orders.csv', count + 2]);
  });

  test('have the numbers that were sent, also from a test delivery, and in tables however they are read', async () => {
    const person = await newUser(console);
    const webhook = await createTableWebhook(person, { name: 'Orders', newTableName: 'orders' });
    const path = `/webhooks/${webhook.id}?project=${person.projectId}`;
    await using screen = await console.open({ as: person, path });
    const { page } = screen;
    const payload = '{"id": 9007199254740993, "price": 1.10, "e": 1e400, "list": [1.0, 2]}';
    await page.getByLabel('JSON', { exact: true }).fill(payload);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('The delivery was accepted').waitFor();
    expect((await logsOf(person, webhook)).map((delivery) => delivery.payload)).toEqual([payload]);
    await acknowledge(console.system.http, webhook, '{"price":1.1}');
    await page.getByRole('link', { name: 'Table: orders' }).click();
    const expectCells = async () => {
      for (const name of ['9007199254740993', '1.10', '1.1', '1e400', '[1.0,2]']) {
        await page.getByRole('cell', { name, exact: true }).waitFor();
      }
    };
    await expectCells();
    await page.getByLabel('Filter').fill('1.1');
    await page.getByText('2 match').waitFor();
    await expectCells();
    await page.getByLabel('Filter').fill('9007199254740993');
    await page.getByText('1 match').waitFor();
    await page.getByRole('button', { name: /Show row/ }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('region', { name: 'price' }).textContent()).toBe('1.10');
    expect(await dialog.getByRole('region', { name: 'list' }).textContent()).toBe('[1.0,2]');
  });

  test.runIf(atFullLength)(
    'are said not to be live while the server is out of reach, and are live again when it is back',
    async () => {
      const person = await newUser(console);
      const webhook = await createWebhook(person);
      const { http, process } = await console.system.addGateway();
      const path = `/webhooks/${webhook.id}?project=${person.projectId}`;
      await using screen = await console.open({ as: person, url: http.url, path, allowedErrors: /net::ERR_/ });
      const { page } = screen;
      const live = page.getByText('Live', { exact: true });
      const lost = page.getByText('What you see may be out of date');
      await live.waitFor();
      await process.kill();
      await page.getByText('Not live', { exact: true }).waitFor();
      await lost.waitFor();
      await process.start();
      await live.waitFor();
      await lost.waitFor({ state: 'detached' });
      await acknowledge(console.system.http, webhook, '"after"');
      await page.getByText('1 delivery').waitFor();
    },
  );

  test('ask one to sign in when the session has ended while they are followed', async () => {
    const person = await newUser(console);
    const webhook = await createWebhook(person);
    // Nothing else hears of it.
    const prepare = (page: Page) =>
      page.route('**/logs/stream', (route) => route.fulfill({ status: 401, json: { code: 'SESSION_EXPIRED' } }));
    const path = `/webhooks/${webhook.id}?project=${person.projectId}`;
    await using screen = await console.open({ as: person, path, prepare, allowedErrors: /status of 401/ });
    const { page } = screen;
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await page.getByText('Not live', { exact: true }).waitFor();
  });

  test.runIf(atFullLength)(
    'fill tables that are exported also where one has to sign in, and the server has a name in a network, without https',
    async () => {
      const person = await newUser(console);
      const webhook = await createTableWebhook(person, { name: 'Orders', newTableName: 'orders' });
      await acknowledge(console.system.http, webhook, '{"total":7}');
      const { http } = await console.system.addGateway({ MEMORY_AUTH: 'required' });
      const url = http.url.replace('127.0.0.1', networkName);
      const path = `/webhooks/tables/${webhook.table_id}?project=${person.projectId}`;
      await using screen = await console.open({ url, path, allowedErrors: /untrustworthy/ });
      const { page } = screen;
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.getByLabel('Token or API key').fill(tokenOf(person.userId));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'orders', level: 1 }).waitFor();
      expect(page.url()).toBe(url + path);
      const button = page.getByRole('button', { name: 'Download JSON' });
      const { name, content } = await downloaded(page, button);
      expect([name, JSON.parse(content)]).toMatchObject(['orders.json', [{ values: { total: 7 } }]]);
      await screen.expectAccessible(button);
    },
  );

  test.runIf(atFullLength)(
    `a table of ${manyRows} rows is scrolled from the first to the last, with few of them in the page`,
    async () => {
      const person = await newUser(console);
      const tableId = await newLongTable(person);
      const path = `/webhooks/tables/${tableId}?project=${person.projectId}`;
      await using screen = await console.open({ as: person, path });
      const { page } = screen;
      await page.getByText(`${manyRows.toLocaleString('en')} rows, 1 column`).waitFor();
      const table = page.getByRole('region', { name: 'Measurements' });
      const drawn = table.locator('tbody tr');
      /** Scrolls to a share of the table, and waits until rows that are numbered like this are read. */
      const expectRows = async (share: number, rows: readonly number[]) => {
        await table.evaluate((scroller, to) => scroller.scrollTo(0, to * scroller.scrollHeight), share);
        for (const row of rows) {
          // The newest row comes first, below the head of the table.
          const reading = table.locator(`tr[aria-rowindex="${row + 1}"] td:nth-child(3)`);
          await expect.poll(() => reading.textContent()).toBe(String(manyRows - row));
          await expect.poll(() => reading.isVisible()).toBe(true);
        }
        expect(await drawn.count()).toBeLessThan(60);
      };
      await expectRows(0, [1, 2]);
      await expectRows(0.5, [manyRows / 2 + 5]);
      await expectRows(1, [manyRows - 1, manyRows]);
      expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(manyRows + 1));
      await expectRows(0, [1]);
      await table.focus();
      await page.keyboard.press('End');
      await expectRows(1, [manyRows]);
      await page.getByRole('button', { name: `Show row ${firstRowId}`, exact: true }).click();
      const shown = page.getByRole('dialog').getByRole('region', { name: 'reading' });
      expect(await shown.textContent()).toBe('0');
    },
  );

  test('and tables are created here, also 360 pixels wide in the dark', async () => {
    const person = await newUser(console);
    await createTableWebhook(person, { name: 'Orders', newTableName: 'x'.repeat(200) });
    await using screen = await console.open({
      as: person,
      path: '/webhooks',
      width: 360,
      theme: 'dark',
      allowedErrors: /422/,
    });
    const { page } = screen;
    await page.getByRole('button', { name: 'New table' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Measurements');
    await dialog.getByRole('button', { name: 'Add a column' }).click();
    await dialog.getByLabel('Name of column 1').fill('Not A Name');
    await screen.expectAccessible(dialog);
    await dialog.getByRole('button', { name: 'Create table' }).click();
    await dialog.getByText('String should be 1 to 255 of a-z, 0-9 and _').waitFor();
    await dialog.getByLabel('Name of column 1').fill('degrees');
    await dialog.getByRole('button', { name: 'Create table' }).click();
    await page.getByRole('heading', { level: 1, name: 'measurements' }).waitFor();
    await page.getByText('The table has no rows yet').waitFor();
    await screen.expectAccessible();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await page.getByRole('link', { name: 'All webhooks' }).click();
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('link', { name: /^Table: x+$/ }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });
});
