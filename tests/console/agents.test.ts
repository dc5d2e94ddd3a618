import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agreeTo, describeInBrowser, hold, newUser, startConsole, type TestConsole } from './browser.ts';
import { expectHarmless, hostileTexts } from './hostile-texts.ts';
import { pressButton, tabTo } from './keyboard.ts';

let console: TestConsole;

describeInBrowser('agents', () => {
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.release());

  test('are listed with what they have, found by name, opened, and all listed again by their link', async () => {
    const person = await newUser(console);
    for (const agent of ['alice', 'albert', 'bob']) {
      const items = [{ content: `My name is ${agent}, and I live in Porto.` }];
      await person.http.post('/api/memories/batch', { agent_id: agent, document_id: 'chat', items });
    }
    await using screen = await console.open({ as: person, path: '/agents?q=al' });
    const { page } = screen;
    const search = page.getByLabel('Find agents');
    await page.getByText('2 agents').waitFor();
    expect(await search.inputValue()).toBe('al');
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('row', { name: /^bob \d+ 1/ }).waitFor();
    await page.getByText('3 agents').waitFor();
    expect(await search.inputValue()).toBe('');
    await screen.expectAccessible();
    await screen.screenshot('agents');
    await page.goBack();
    await page.getByText('2 agents').waitFor();
    expect(await search.inputValue()).toBe('al');
    await search.fill('LIC');
    await page.getByText('1 agent', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=LIC');
    await page.getByRole('link', { name: 'alice' }).click();
    await page.getByRole('heading', { name: 'alice', level: 1 }).waitFor();
  });

  test('cannot be read for a minute after too many requests, which is said at once', async () => {
    const problem = { code: 'RATE_LIMITED', status: 429, detail: 'Try again in 60 seconds' };
    const refusal = { status: 429, headers: { 'retry-after': '60' }, json: problem };
    await using screen = await console.open({
      as: await newUser(console),
      prepare: (page) => page.route('**/api/agents?*', (route) => route.fulfill(refusal)),
      allowedErrors: /status of 429/,
    });
    const { page } = screen;
    const alert = page.getByRole('alert').filter({ hasText: 'Too many requests' });
    await alert.getByText(problem.detail).waitFor();
    await screen.expectAccessible(alert);
    await page.unroute('**/api/agents?*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('There are no agents yet').waitFor();
  });

  test('show what an addition changes before it is kept, and keep the background that is shown and no other one', async () => {
    const person = await newUser(console);
    await person.http.put('/api/agents/mia', { background: 'My name is Mia. I live in Porto.' });
    await using screen = await console.open({ as: person, path: '/agents/mia' });
    const { page } = screen;
    await page.getByRole('img', { name: /Openness 0.5, / }).waitFor();
    const addition = page.getByLabel('Add to the background');
    const keep = page.getByRole('button', { name: 'Keep' });
    const show = (text: string) => showResult(page, text);
    await show('You live in Lisbon.');
    await page.getByText('What changes').waitFor();
    expect(await page.locator('ins').allTextContents()).toEqual(['Lisbon']);
    expect(await page.locator('del').allTextContents()).toEqual(['Porto']);
    await screen.expectAccessible(page.getByRole('region', { name: 'Background' }));
    await screen.screenshot('agent');
    const profile = async () => (await person.http.get('/api/agents/mia/profile')).body;
    expect((await profile()).background).toContain('Porto');
    await keep.click();
    await page.getByText('The background is saved.').waitFor();
    expect((await profile()).background).toBe('My name is Mia. I live in Lisbon.');

    await show('I live in Porto.');
    await addition.fill('I live in Madrid.');
    await keep.waitFor({ state: 'detached' });
    await show('I live in Madrid.');
    await person.http.put('/api/agents/mia', { background: 'My name is Mia. I dive.' });
    await keep.click();
    await page.getByText('The background is another one by now').waitFor();
    expect((await profile()).background).toBe('My name is Mia. I dive.');
    expect(await addition.inputValue()).toBe('I live in Madrid.');
  });

  test('keep what is typed and moved while an earlier change is saved, and when it cannot be read again', async () => {
    const person = await newUser(console);
    await person.http.put('/api/agents/mia', { background: 'My name is Mia. I live in Porto.' });
    await using screen = await console.open({ as: person, path: '/agents/mia', allowedErrors: /status of 500/ });
    const { page } = screen;
    const addition = page.getByLabel('Add to the background');
    await showResult(page, 'You live in Lisbon.');
    const keeping = await hold(page, 'PUT', '/api/agents/mia');
    await page.getByRole('button', { name: 'Keep' }).click();
    await keeping.sent;
    await addition.fill('I dive.');
    keeping.release();
    await page.getByText('My name is Mia. I live in Lisbon.').waitFor();

    const openness = page.getByRole('slider', { name: 'Openness' });
    const save = page.getByRole('button', { name: 'Save traits', disabled: false });
    await openness.press('ArrowRight');
    const saving = await hold(page, 'PUT', '/api/agents/mia');
    await save.click();
    await saving.sent;
    await openness.press('ArrowRight');
    saving.release();
    await save.waitFor();
    await page.getByRole('img', { name: /Openness 0.6, / }).waitFor();
    expect(await page.getByText('The traits are saved.').count()).toBe(0);

    const savingAgain = await hold(page, 'PUT', '/api/agents/mia');
    await save.click();
    await savingAgain.sent;
    await page.route('**/api/agents?*', (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR' } }));
    savingAgain.release();
    await page.getByRole('alert').waitFor();
    expect(await addition.inputValue()).toBe('I dive.');
    expect((await person.http.get('/api/agents/mia/profile')).body.personality).toMatchObject({ openness: 0.6 });
  });

  test('keep traits that others have changed meanwhile, when other traits or the background are saved', async () => {
    const person = await newUser(console);
    await person.http.put('/api/agents/mia', { background: 'My name is Mia. I live in Porto.' });
    await using screen = await console.open({ as: person, path: '/agents/mia' });
    const { page } = screen;
    const profile = async () => (await person.http.get('/api/agents/mia/profile')).body;
    const change = async (traits: object) => {
      const { personality } = await profile();
      await person.http.put('/api/agents/mia', { personality: { ...personality, ...traits } });
    };
    const keep = page.getByRole('button', { name: 'Keep' });
    const show = (text: string) => showResult(page, text);
    await show('You live in Lisbon.');
    await change({ neuroticism: 0.9 });
    await keep.click();
    await page.getByText('The background is saved.').waitFor();
    const lisbon = 'My name is Mia. I live in Lisbon.';
    expect(await profile()).toMatchObject({ background: lisbon, personality: { neuroticism: 0.9 } });

    await page.getByRole('img', { name: /Neuroticism 0.9, / }).waitFor();
    await change({ extraversion: 0.2 });
    await page.getByRole('slider', { name: 'Openness' }).press('ArrowRight');
    await page.getByRole('button', { name: 'Save traits' }).click();
    await page.getByText('The traits are saved.').waitFor();
    const moved = { openness: 0.55, extraversion: 0.2, neuroticism: 0.9 };
    expect((await profile()).personality).toMatchObject(moved);

    await show('I am a curious guide.');
    await change({ agreeableness: 0.8 });
    await keep.click();
    await page.getByText('The traits are other ones by now').waitFor();
    const kept = { background: lisbon, personality: { ...moved, agreeableness: 0.8 } };
    expect(await profile()).toMatchObject(kept);
  });

  test('are not created again by a look at what an addition would make of one that was erased', async () => {
    const person = await newUser(console);
    await person.http.put('/api/agents/zoe', { background: 'I dive.' });
    await using screen = await console.open({ as: person, path: '/agents/zoe', allowedErrors: /status of 404/ });
    const { page } = screen;
    await page.getByLabel('Add to the background').fill('I live in Lisbon.');
    await person.http.delete('/api/agents/zoe');
    const total = async () => (await person.http.get('/api/agents?prefix=zoe')).body.total;
    await expect.poll(total).toBe(0);
    await page.getByRole('button', { name: 'Show the result' }).click();
    await page.getByRole('alert').filter({ hasText: 'There is no agent of this name' }).waitFor();
    expect(await total()).toBe(0);
  });

  test('are erased, once that is confirmed, in a dialog that stays until it is done, says why it failed, and leaves one where one is', async () => {
    const person = await newUser(console);
    for (const agent of ['kim', 'lea', 'max']) await person.http.put(`/api/agents/${agent}`, {});
    await using screen = await console.open({ as: person, path: '/agents/kim', allowedErrors: /status of 500/ });
    const { page } = screen;
    const exists = async () => (await person.http.get('/api/agents?prefix=kim')).body.total;
    const open = page.getByRole('button', { name: 'Erase agent' });
    const dialog = page.getByRole('dialog');
    await open.click();
    await page.getByRole('button', { name: 'Cancel' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    expect(await exists()).toBe(1);

    await page.route('**/api/agents/kim', (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR' } }));
    const erasing = await hold(page, 'DELETE', '/api/agents/kim');
    await agreeTo(page, 'Erase agent');
    await erasing.sent;
    await dialog.getByRole('button', { name: 'Cancel', disabled: true }).last().waitFor();
    await page.keyboard.press('Escape');
    erasing.release();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel', disabled: false }).last().waitFor();
    await screen.expectAccessible(dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.unrouteAll();
    await agreeTo(page, 'Erase agent');
    await page.getByText('2 agents', { exact: true }).waitFor();
    expect(await exists()).toBe(0);

    await page.getByRole('link', { name: 'max' }).click();
    const erasingMax = await hold(page, 'DELETE', '/api/agents/max');
    await agreeTo(page, 'Erase agent');
    await erasingMax.sent;
    await page.goBack();
    await page.getByRole('link', { name: 'lea' }).click();
    await open.waitFor();
    const readAgain = page.waitForRequest(/\/api\/agents\?/);
    erasingMax.release();
    await readAgain;
    expect((await person.http.get('/api/agents')).body.total).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/agents/lea');
  });

  test('are created and changed by keyboard alone, from a first page that is small and comes compressed', async () => {
    const person = await newUser(console);
    await using screen = await console.open({ as: person });
    const { page } = screen;
    await page.getByText('There are no agents yet').waitFor();
    expect(await transferredBytes(page)).toBeLessThan(300 * 1_024);
    await pressButton(page, 'New agent');
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.type('kim');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'kim', level: 1 }).waitFor();
    await tabTo(page, 'Openness');
    for (let times = 0; times < 4; times += 1) await page.keyboard.press('ArrowRight');
    await page.getByRole('img', { name: /Openness 0.7, / }).waitFor();
    await pressButton(page, 'Save traits');
    await page.getByText('The traits are saved.').waitFor();
    expect((await person.http.get('/api/agents/kim/profile')).body.personality).toMatchObject({ openness: 0.7 });
    await pressButton(page, 'All agents');
    await page.getByRole('row', { name: /^kim/ }).waitFor();
  });

  test('are shown as text, whatever their names and backgrounds are', async () => {
    const person = await newUser(console);
    for (const [index, text] of hostileTexts.entries()) {
      const agent = `${index} ${text}`;
      await person.http.put(`/api/agents/${encodeURIComponent(agent)}`, { background: text });
    }
    await using screen = await console.open({ as: person });
    const { page } = screen;
    for (const [index, text] of hostileTexts.entries()) {
      const agent = `${index} ${text}`;
      await page.getByRole('link', { name: agent, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: agent, exact: true }).waitFor();
      expect(await page.getByRole('region', { name: 'Background' }).locator('.user-text').textContent()).toBe(text);
      await page.getByRole('link', { name: 'All agents' }).click();
    }
    await expectHarmless(page);
  });

  test('can be used in the light and the dark theme, 360 and 1280 pixels wide, with all names in the picture of traits', async () => {
    const person = await newUser(console);
    await person.http.put('/api/agents/a-name-that-is-long-and-has-no-place-to-break-it-in-two', {
      background: 'I dive.',
    });
    await using screen = await console.open({ as: person, width: 360 });
    const { page } = screen;
    await page.getByRole('link', { name: /a-name/ }).click();
    await page.getByRole('heading', { level: 1, name: /a-name/ }).waitFor();
    const names = page.getByRole('img', { name: /^Radar picture/ }).locator('svg text');
    const edges = `(texts) => texts.flatMap((text) => {
      const [inner, outer] = [text.getBoundingClientRect(), text.ownerSVGElement.getBoundingClientRect()];
      const sides = [inner.left - outer.left, inner.top - outer.top, outer.right - inner.right, outer.bottom - inner.bottom];
      return sides.every((side) => side >= 0) ? [] : [text.textContent, sides];
    })`;
    const cutNames = () => page.evaluate(`(${edges})([...document.querySelectorAll('[role=img] svg text')])`);
    await expect.poll(() => names.count()).toBe(6);
    expect(await cutNames()).toEqual([]);
    await screen.expectUsable();
    await expect.poll(() => names.allTextContents()).toContain('Conscientiousness');
    expect(await names.count()).toBe(6);
    expect(await cutNames()).toEqual([]);
  });
});

/** Previews an addition to the background. */
async function showResult(page: Page, addition: string): Promise<void> {
  await page.getByLabel('Add to the background').fill(addition);
  await page.getByRole('button', { name: 'Show the result' }).click();
  await page.getByRole('button', { name: 'Keep' }).waitFor();
}

/** Of scripts and styles, as they came over the network. */
async function transferredBytes(page: Page): Promise<number> {
  const sizes = await page.evaluate(
    `performance.getEntriesByType('resource')
      .filter(({ name }) => /\\.(js|css)$/.test(name))
      .map(({ encodedBodySize, decodedBodySize }) => [encodedBodySize, decodedBodySize])`,
  );
  const [encoded, decoded] = (sizes as [number, number][]).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
  expect(encoded).toBeLessThan(decoded / 2);
  return encoded;
}
