import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, newUser, startConsole, type TestConsole } from './browser.ts';
import { pressButton } from './keyboard.ts';

let console: TestConsole;

describeInBrowser('the tour', () => {
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.release());

  test('stores a sample agent, leads through it and erases it by keyboard alone, light and dark, 360 and 1280 pixels wide', async () => {
    const person = await newUser(console);
    await using screen = await console.open({ as: person });
    const { page } = screen;
    await page.getByRole('link', { name: 'Take the tour' }).click();
    await page.getByText('There is no sample agent at the moment.').waitFor();
    const steps = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(steps.map((title) => title.slice(0, 2))).toEqual(['1.', '2.', '3.']);
    await pressButton(page, 'Store the sample agent');
    await page.getByText('The sample agent is stored.').waitFor();
    await screen.screenshot('tour');
    await screen.expectUsable();
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
    await pressButton(page, 'Erase the sample agent');
    await page.getByText('The sample agent is erased.').waitFor();
    expect((await person.http.get('/api/agents')).body.total).toBe(0);
  });
});
