import { atFullLength, scaled } from '@mneme/local-stack/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, type Person } from '../system/person.ts';
import { comeBack, describeInBrowser, hold, newUser, startConsole, type TestConsole } from './browser.ts';
import { expectHarmless, hostile, hostileTexts } from './hostile-texts.ts';
import { pressButton, tabTo } from './keyboard.ts';

const manyUnits = 1_000;
/** On a machine for itself; beside other tests it takes several times as long. */
const maxDrawMs = scaled({ full: 1_500, short: 6_000 });
/** The machine may be busy with something else. */
const maxTries = 5;
/** Of the points of facts about the world. */
const worldColor = [0x4e, 0x79, 0xa7];
const places = ['Porto', 'Lisbon', 'Madrid', 'Vienna', 'Oslo', 'Athens', 'Rome', 'Prague', 'Dublin', 'Turin'];

let console: TestConsole;

interface Batch {
  readonly operation_id: string;
  readonly items: readonly { readonly units: readonly { readonly id: string }[] }[];
}

/** What someone tells about two people, over a few weeks. */
async function remember({ http }: Pick<Person, 'http'>, agent: string, work = 'a book on bread'): Promise<Batch> {
  const { status, body } = await http.post<Batch>('/api/memories/batch', {
    agent_id: agent,
    document_id: 'diary',
    items: [
      { content: 'Ana Costa moved to Porto for a new job.', event_date: '2026-01-05T10:00:00Z' },
      { content: 'Ana Costa works in a bakery in Porto.', event_date: '2026-01-20T10:00:00Z' },
      { content: 'Bruno Dias studies medicine in Lisbon.', event_date: '2026-02-11T10:00:00Z' },
      { content: `Ana Costa wrote ${work}.`, context: work, event_date: '2026-03-01T10:00:00Z' },
    ],
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const drawn = (page: Page) => page.locator('[data-drawn="last"]').waitFor();

describeInBrowser('memory graph', () => {
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.release());

  test('is drawn as wide as its place, and shows a memory that is clicked, with the event, the request and the key it comes from', async () => {
    const person = await newUser(console);
    const key = await createKey(person);
    const batch = await remember({ http: person.http.as(key.key) }, 'alice');
    await using screen = await console.open({ as: person, path: '/graph' });
    const { page } = screen;
    await drawn(page);
    const widths = () =>
      page
        .locator('.graph-canvas')
        .evaluate(({ clientWidth, firstElementChild }) => [clientWidth, firstElementChild?.clientWidth]);
    const atFirst = await widths();
    // The navigation beside it goes, and comes back.
    await page.setViewportSize({ width: 700, height: 900 });
    await expect.poll(async () => new Set(await widths()).size).toBe(1);
    await page.setViewportSize({ width: 1_280, height: 900 });
    await expect.poll(widths).toEqual(atFirst);
    expect(new Set(atFirst).size).toBe(1);
    await page.getByText(/^4 of 4 memories, \d+ links/).waitFor();
    await clickSomeNode(page);
    const panel = page.getByRole('region', { name: 'Memory', exact: true });
    await panel.getByText('FactsExtracted').waitFor();
    await panel.getByText(`API key ${key.id}`).waitFor();
    await panel.getByText(batch.operation_id).waitFor();
    await panel.getByText(/^MEMORY:\d+$/).waitFor();
    await panel.getByText('diary', { exact: true }).waitFor();
    await screen.screenshot('graph');
  });

  test('corrects no text that someone else has corrected since the dialog was opened', async () => {
    const person = await newUser(console);
    const id = (await remember(person, 'alice')).items[2]?.units[0]?.id;
    await using screen = await console.open({ as: person, path: `/memories/${id}`, allowedErrors: /status of 409/ });
    const { page } = screen;
    await page.getByRole('button', { name: 'Correct', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Text').fill('Bruno Dias studies law in Lisbon.');
    const theirs = 'Bruno Dias studies physics in Lisbon.';
    await person.http.patch(`/api/memory/${id}`, { text: theirs });
    await comeBack(page);
    await page.getByText(theirs).waitFor();
    await dialog.getByRole('button', { name: 'Save text' }).click();
    await dialog.getByText('It was changed at the same time').waitFor();
    expect((await person.http.get(`/api/memory/${id}`)).body).toMatchObject({ text: theirs });
  });

  test('keeps what is typed in a dialog over a memory when the screen is turned, and the focus after a refusal', async () => {
    const person = await newUser(console);
    const id = (await remember(person, 'alice')).items[2]?.units[0]?.id;
    const path = `/graph?view=table&unit=${id}`;
    await using screen = await console.open({ as: person, path, width: 800, allowedErrors: /status of 409/ });
    const { page } = screen;
    const focused = () => page.evaluate('document.activeElement.textContent');
    const drawer = page.getByRole('dialog', { name: 'Memory', exact: true });
    const correct = page.getByRole('dialog', { name: 'Correct the memory' });
    const forget = page.getByRole('dialog', { name: 'Forget the memory?' });
    await drawer.getByRole('button', { name: 'Correct' }).click();
    const typed = 'Bruno Dias studies law in Lisbon.';
    await correct.getByLabel('Text').fill(typed);
    await page.setViewportSize({ width: 1_280, height: 900 });
    expect(await correct.getByLabel('Text').inputValue()).toBe(typed);
    await page.setViewportSize({ width: 800, height: 900 });
    await page.route(`**/api/memory/${id}*`, (route) =>
      route.request().method() === 'GET'
        ? route.fallback()
        : route.fulfill({ status: 409, json: { code: 'CONFLICT' } }),
    );
    const { sent, release } = await hold(page, 'PATCH', `/api/memory/${id}`);
    await pressButton(page, 'Save text');
    await sent;
    await correct.getByRole('button', { name: 'Cancel', disabled: true }).first().waitFor();
    await page.keyboard.press('Escape');
    expect(await drawer.count()).toBe(1);
    release();
    await correct.getByRole('alert').waitFor();
    await expect.poll(focused).toBe('Save text');
    await page.keyboard.press('Escape');
    await correct.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Correct');
    await pressButton(page, 'Forget');
    await forget.waitFor();
    await pressButton(page, 'Forget it');
    await forget.getByRole('alert').waitFor();
    await expect.poll(focused).toBe('Forget it');
    await page.keyboard.press('Escape');
    await forget.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1_280, height: 900 });
    await drawer.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Memory', exact: true }).getByText('FactsExtracted').waitFor();
    await page.setViewportSize({ width: 800, height: 900 });
    await drawer.waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  test('is filtered by type, kind of link, entity and time, and the address says so', async () => {
    const person = await newUser(console);
    await remember(person, 'alice');
    await using screen = await console.open({ as: person, path: '/graph?view=table' });
    const { page } = screen;
    await page.getByRole('combobox', { name: 'Entity' }).click();
    await page.getByRole('option', { name: /^Bruno Dias/ }).click();
    await page.getByText(/^1 of 4 memories/).waitFor();
    expect(new URL(page.url()).searchParams.get('entity')).toBe('Bruno Dias');
    await page.reload();
    await page.getByText(/^1 of 4 memories/).waitFor();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.getByText(/^4 of 4 memories/).waitFor();
    const from = page.getByRole('slider', { name: 'From' });
    await from.focus();
    // The first of four memories is of 5 January, the second of 20 January, the last of 1 March: 40 steps.
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight');
    await page.getByText(/^3 of 4 memories/).waitFor();
    expect(await from.getAttribute('aria-valuetext')).toBe('Jan 12, 2026');
    for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowRight');
    await page.getByText(/^2 of 4 memories/).waitFor();
    expect(new URL(page.url()).searchParams.get('since')).toContain('2026-01-2');
    await page.getByRole('button', { name: 'Show everything' }).click();
    for (const kind of ['Time', 'Meaning', 'Entity']) {
      await page.getByText(new RegExp(`^${kind} \\(`)).click();
    }
    await page.getByText(/^4 of 4 memories, 0 links/).waitFor();
    await page.getByText(/^Entity \(/).click();
    await page.getByRole('combobox', { name: 'Entity' }).click();
    await page.getByRole('option', { name: /^Porto/ }).click();
    await page.getByText(/^2 of 4 memories, 1 link\./).waitFor();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.getByText(/^4 of 4 memories/).waitFor();
    await page.getByText(/^World fact \(/).click();
    await page.getByText(/^\d of 4 memories/).waitFor();
  });

  test('is read, corrected and forgotten by keyboard alone', async () => {
    const person = await newUser(console);
    await remember(person, 'alice');
    await using screen = await console.open({ as: person, path: '/graph' });
    const { page } = screen;
    await drawn(page);
    await tabTo(page, 'Picture');
    await page.keyboard.press('ArrowRight');
    const name = 'Bruno Dias studies medicine in Lisbon.';
    await pressButton(page, name);
    const panel = page.getByRole('region', { name: 'Memory', exact: true });
    await panel.getByText('FactsExtracted').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Memory');
    await pressButton(page, 'Close memory');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe(name);
    await page.keyboard.press('Enter');
    await panel.getByText('FactsExtracted').waitFor();
    await pressButton(page, 'Correct');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Bruno Dias studies law in Lisbon.');
    await pressButton(page, 'Save text');
    await page.getByRole('row', { name: /studies law/ }).waitFor();
    await panel.getByText(name).waitFor();
    await panel.getByText(`UnitCorrected, User ${person.userId}`).waitFor();
    await pressButton(page, 'Forget');
    await screen.expectAccessible(page.getByRole('dialog'));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Forget');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await pressButton(page, 'Forget it');
    await page.getByText(/^3 of 3 memories/).waitFor();
    expect(await page.getByText(/studies law/).count()).toBe(0);
    expect(await panel.count()).toBe(0);
  });

  test('shows hostile text as text', async () => {
    const person = await newUser(console);
    const { items } = await remember(person, 'alice', hostile);
    const id = items.at(-1)?.units[0]?.id;
    await using screen = await console.open({ as: person, path: `/memories/${id}` });
    const { page } = screen;
    await page.getByRole('button', { name: 'Show document' }).click();
    await page
      .getByText(hostileTexts[0] ?? '')
      .first()
      .waitFor();
    await screen.expectAccessible();
    await expectHarmless(page);
  });

  test.runIf(atFullLength)('can be used in the light and the dark theme, 360 and 1280 pixels wide', async () => {
    const person = await newUser(console);
    await remember(person, 'an-agent-whose-name-is-long-and-has-no-place-to-break-it');
    await using screen = await console.open({ as: person, path: '/graph' });
    const { page } = screen;
    await drawn(page);
    await screen.expectUsable();
    await page.getByText('Table', { exact: true }).click();
    await page.getByRole('button', { name: /bakery/ }).click();
    await page.getByText('FactsExtracted').waitFor();
    await screen.expectUsable();
  });

  test.runIf(atFullLength)(
    `of ${manyUnits} memories is drawn within ${maxDrawMs} ms, and its table scrolls`,
    async () => {
      const person = await newUser(console);
      const items = Array.from({ length: manyUnits }, (_, index) => ({
        content: `Visitor number ${index} of the museum came from ${places[index % places.length]}.`,
        event_date: new Date(Date.UTC(2026, 0, 1, index)).toISOString(),
      }));
      await person.http.post('/api/memories/batch', { agent_id: 'guard', items });
      await using screen = await console.open({ as: person, path: '/graph', allowedErrors: /status of 500/ });
      const { page } = screen;
      const times: number[] = [];
      while (times.length < maxTries && !times.some((time) => time < maxDrawMs)) {
        if (times.length > 0) await page.reload();
        await drawn(page);
        times.push(await page.evaluate(`performance.getEntriesByName('graph-drawn-first')[0].startTime`));
      }
      await page
        .getByText('1,000 of 1,000 memories, 5,000 links. Only the 5,000 strongest links are loaded.')
        .waitFor();
      // Of links that are not all loaded, a number by kind would be taken for that of all.
      await page.getByRole('checkbox', { name: 'Entity', exact: true }).waitFor({ state: 'attached' });
      await screen.screenshot('graph-large');
      process.stdout.write(
        `1000 memories drawn after ${times.map(Math.round).join(', ')} ms from the start of the page\n`,
      );
      expect(Math.min(...times)).toBeLessThan(maxDrawMs);
      await page.getByText('Table', { exact: true }).click();
      await page.getByRole('region', { name: 'Memories' }).focus();
      await page.keyboard.press('End');
      await page.getByRole('button', { name: /^Visitor number 0 / }).waitFor();
      expect(await page.getByRole('row').count()).toBeLessThan(60);
      const older = [{ content: 'Zoe Zander opened the museum.', event_date: '2019-05-01T12:00:00Z' }];
      await person.http.post('/api/memories/batch', { agent_id: 'guard', items: older });
      await comeBack(page);
      await page.getByText('The agent has 1,001; these are the newest 1,000.', { exact: false }).waitFor();
      await page.getByLabel('Load before').fill('2020-01-01');
      await page.getByText(/^1 of 1 memories/).waitFor();
      await page.getByRole('button', { name: 'Zoe Zander opened the museum.' }).waitFor();
      const failing = (url: URL) => url.pathname === '/api/graph' && url.searchParams.has('entity');
      await page.route(failing, (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR' } }));
      await page.goto('/graph?agent=guard&view=table&entity=Nobody');
      const again = page.getByRole('button', { name: 'Try again' });
      await again.waitFor();
      await page.unroute(failing);
      await again.click();
      await page.getByText('No memory mentions this entity.').waitFor();
      await page.getByRole('button', { name: 'Show everything' }).click();
      await page.getByText(/^1,000 of 1,000 memories/).waitFor();
    },
  );

  test('says that there is nothing yet, or that a browser draws no WebGL, and has the table then', async () => {
    const person = await newUser(console);
    const prepare = (page: Page) => page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null');
    await using screen = await console.open({ as: person, path: '/graph', prepare });
    const { page } = screen;
    await page.getByText('There are no agents yet').waitFor();
    await person.http.put('/api/agents/alice', {});
    await comeBack(page);
    await page.getByText('This agent has no memories yet.').waitFor();
    await remember(person, 'alice');
    await comeBack(page);
    await page.getByText('The picture cannot be drawn').waitFor();
    await page.getByText('Table', { exact: true }).click();
    await page.getByRole('row', { name: /bakery/ }).waitFor();
  });
});

/** Where nodes stand is known to the canvas alone, so their colour is looked for in the picture. */
async function clickSomeNode(page: Page): Promise<void> {
  const canvas = page.getByRole('img', { name: /memories as points/ });
  const png = (await canvas.screenshot()).toString('base64');
  const find = `(${findColor})('${png}', ${JSON.stringify(worldColor)})`;
  const position = await page.evaluate<{ x: number; y: number } | null>(find);
  if (!position) throw new Error('There is no node in the picture');
  await canvas.click({ position });
}

/** Runs in the page. Returns the middle of a small square of the colour. */
const findColor = `async (png, color, side = 5) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + png;
  await image.decode();
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const isAt = (x, y) =>
    color.every((value, channel) => Math.abs(value - data[4 * (y * image.width + x) + channel]) < 3);
  for (let y = 0; y < image.height - side; y += 1) {
    for (let x = 0; x < image.width - side; x += 1) {
      if (isAt(x, y) && isAt(x + side, y) && isAt(x, y + side) && isAt(x + side, y + side)) return { x: x + 2, y: y + 2 };
    }
  }
  return null;
}`;
