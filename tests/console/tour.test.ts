import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, newUser, startConsole, type TestConsole } from './browser.ts';
import { pressButton } from './keyboard.ts';

let console: TestConsole;

describeInBrowser('the tour', () => {
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.release());

  test('stores a sample agent with one click, leads through it, and erases it with one click', async () => {
    const person = await newUser(console);
    await using screen = await console.open({ as: person });
    const { page } = screen;
    await page.getByRole('link', { name: 'Take the tour' }).click();
    await page.getByText('There is no sample agent at the moment.').waitFor();
    const steps = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(steps.map((title) => title.slice(0, 2))).toEqual(['1.', '2.', '3.']);
    await page.getByRole('button', { name: 'Store the sample agent' }).click();
    await page.getByText('The sample agent is stored.').waitFor();
    await screen.expectAccessible();
    await screen.screenshot('tour');
    const stats = (await person.http.get('/api/stats/mneme-sample')).body;
    expect(stats).toMatchObject({ total_documents: 3, pending_operations: 0, failed_operations: 0 });
    expect(stats.total_nodes).toBeGreaterThan(10);
    expect(stats.total_links).toBeGreaterThan(10);
    for (const name of [
      'Its profile',
      'Its memories and how they are linked',
      'Search its memories',
      /^Its documents/,
      /^Ask it/,
    ]) {
      await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.goBack();
    }
    await page.getByRole('button', { name: 'Erase the sample agent' }).click();
    await page.getByText('The sample agent is erased.').waitFor();
    expect((await person.http.get('/api/agents')).body.total).toBe(0);
  });

  test('is taken by keyboard alone', async () => {
    const person = await newUser(console);
    await using screen = await console.open({ as: person, path: '/tour', theme: 'dark', width: 360 });
    const { page } = screen;
    await page.getByText('There is no sample agent at the moment.').waitFor();
    await pressButton(page, 'Store the sample agent');
    await page.getByText('The sample agent is stored.').waitFor();
    await screen.expectAccessible();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await pressButton(page, 'Erase the sample agent');
    await page.getByText('The sample agent is erased.').waitFor();
  });
});
