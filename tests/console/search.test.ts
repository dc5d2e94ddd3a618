import { atFullLength } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../system/person.ts';
import { agreeTo, describeInBrowser, newUser, startConsole, type TestConsole } from './browser.ts';
import { expectHarmless, hostile } from './hostile-texts.ts';
import { pressButton, tabTo } from './keyboard.ts';

const question = 'Where does Ana Costa work?';
const address = `/search?q=${encodeURIComponent(question)}`;

let console: TestConsole;

async function remember({ http }: Person, work = 'a book on bread'): Promise<void> {
  const { status, body } = await http.post('/api/memories/batch', {
    agent_id: 'alice',
    document_id: 'diary',
    items: [
      { content: 'Ana Costa works in a bakery in Porto.', event_date: '2026-01-20T10:00:00Z' },
      { content: 'The bakery is closed on Mondays.', event_date: '2026-01-21T10:00:00Z' },
      { content: 'Ana Costa moved to Porto for a new job.', event_date: '2026-01-05T10:00:00Z' },
      { content: 'Bruno Dias studies medicine in Lisbon.', event_date: '2026-02-11T10:00:00Z' },
      { content: `Ana Costa works on ${work}.`, context: work, event_date: '2026-03-01T10:00:00Z' },
    ],
  });
  expect(status, JSON.stringify(body)).toBe(200);
}

describeInBrowser('search', () => {
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.release());

  test('shows results with scores and matching words, a memory, and how they were found: methods, activation and ranks', async () => {
    const person = await newUser(console);
    await remember(person);
    await using screen = await console.open({ as: person, path: '/search' });
    const { page } = screen;
    await page.getByText('Ask something that the agent may remember.').waitFor();
    await page.getByLabel('Question').fill(question);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const first = page.getByRole('listitem').filter({ hasText: 'works in a bakery' }).first();
    await first.waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe(question);
    expect(await first.locator('mark').allTextContents()).toEqual(['Ana', 'Costa', 'works']);
    await first.getByRole('progressbar', { name: /^Score 0\.\d{3}$/ }).waitFor();
    await first.getByText(/^Words: \d\.$/).waitFor();
    await first.getByRole('button').click();
    await page.getByRole('region', { name: 'Memory', exact: true }).getByText('FactsExtracted').waitFor();
    await screen.screenshot('search');
    await page.getByRole('button', { name: 'Close memory' }).click();
    await page.getByRole('columnheader', { name: 'Words' }).waitFor();
    await page.getByRole('row', { name: /1\. Ana Costa works/ }).waitFor();
    await screen.screenshot('search-methods');
    await page.getByRole('tab', { name: 'Activation' }).click();
    await page.getByText(/^Step 1/).waitFor();
    await page.getByRole('img', { name: / 0 lines over which/ }).waitFor();
    await page.getByText('Around it', { exact: true }).click();
    await page.getByText(/^Step 2/).waitFor();
    await page.getByRole('img', { name: / [1-9]\d* lines over which/ }).waitFor();
    await page.getByText('Links', { exact: true }).click();
    await page.getByText(/^Step 4/).waitFor();
    await screen.expectAccessible(page.getByRole('tabpanel'));
    await screen.screenshot('search-activation');
    await page.getByRole('tab', { name: 'Ranks' }).click();
    await page.getByRole('img', { name: /^Ranks of \d results/ }).waitFor();
    await screen.screenshot('search-ranks');
    await page.getByRole('tab', { name: 'Phases' }).click();
    await page.getByText('Ordered by: Heuristic.').waitFor();
    await page.getByRole('row', { name: /^find/ }).waitFor();
  });

  test('finds the agent to search by a part of its name', async () => {
    const person = await newUser(console);
    for (const agent of ['alice', 'malik', 'eve', 'bob']) await person.http.put(`/api/agents/${agent}`, {});
    await using screen = await console.open({ as: person, path: '/search' });
    const { page } = screen;
    await expect.poll(() => page.getByRole('combobox', { name: 'Agent' }).inputValue()).toBe('bob');
    await page.getByRole('combobox', { name: 'Agent' }).fill('LI');
    await page.getByRole('option', { name: 'eve' }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name: 'malik' }).waitFor();
    await page.getByRole('option', { name: 'alice' }).click();
    await page.waitForURL(/agent=alice/);
  });

  test('compares two settings side by side, and has a lowest score with decimals', async () => {
    const person = await newUser(console);
    await remember(person);
    await using screen = await console.open({ as: person, path: `${address}&b=null` });
    const { page } = screen;
    await page.getByRole('region', { name: 'Results', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Compare two settings' }).click();
    const b = page.getByRole('group', { name: 'Settings B' });
    await b.getByRole('combobox', { name: 'Order by' }).click();
    await page.getByRole('option', { name: 'Activation only' }).click();
    await b.getByLabel('Most results').fill('1');
    await b.getByLabel('Happened on or after').fill('2026-01-01');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const right = page.getByRole('region', { name: 'Results B' });
    await right.getByText(/^1 result in/).waitFor();
    await right.getByText(/^A: \d\.$/).waitFor();
    await page.getByRole('region', { name: 'Results A' }).getByText('Not in B').first().waitFor();
    await screen.screenshot('search-compare');
    await page.reload();
    await right.getByText(/^1 result in/).waitFor();
    await page.getByRole('button', { name: 'End the comparison' }).click();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('region', { name: 'Results', exact: true }).waitFor();
    for (const score of ['0.35', '0.50']) {
      const lowest = page.getByLabel('Lowest score');
      await lowest.fill('');
      await lowest.pressSequentially(score);
      expect(await lowest.inputValue()).toBe(score);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('a') === JSON.stringify({ minScore: Number(score) }));
    }
    await page.goBack();
    await expect.poll(() => page.getByLabel('Lowest score').inputValue()).toBe('0.35');
  });

  test('is used by keyboard alone', async () => {
    const person = await newUser(console);
    await remember(person);
    await using screen = await console.open({ as: person, path: '/search' });
    const { page } = screen;
    await tabTo(page, 'Question *');
    await page.keyboard.type(question);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Results' }).getByRole('button').first().waitFor();
    await page.keyboard.type('?');
    expect(await page.getByLabel('Question').inputValue()).toBe(`${question}?`);
    await pressButton(page, 'Ana Costa works in a bakery in Porto.');
    const panel = page.getByRole('region', { name: 'Memory', exact: true });
    await panel.getByText('FactsExtracted').waitFor();
    await pressButton(page, 'Close memory');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toContain('works in a bakery');
    await tabTo(page, 'Methods');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 'Match');
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^Step 2/).waitFor();
  });

  test('shows hostile text as text, and what the server refuses', async () => {
    const person = await newUser(console);
    await remember(person, hostile);
    const path = `/search?q=${encodeURIComponent(`${hostile} Ana Costa works`)}&a=${encodeURIComponent('{"minScore":0}')}`;
    await using screen = await console.open({ as: person, path, allowedErrors: /422/ });
    const { page } = screen;
    await page.getByText('onerror').first().waitFor();
    await page.getByRole('tab', { name: 'Ranks' }).click();
    await page.getByRole('img', { name: /^Ranks of/ }).waitFor();
    await expectHarmless(page);
    await page.getByLabel('Lowest score').fill('7');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('Something is not valid').waitFor();
    await page
      .getByRole('alert')
      .getByText(/min_score/)
      .waitFor();
    await expectHarmless(page);
  });

  test.runIf(atFullLength)('can be used in the light and the dark theme, 360 and 1280 pixels wide', async () => {
    const person = await newUser(console);
    await remember(person);
    const both = `${address}&b=${encodeURIComponent('{"reranker":"none"}')}`;
    await using screen = await console.open({ as: person, path: both, width: 360 });
    const { page } = screen;
    const left = page.getByRole('region', { name: 'Results A' });
    await left.getByRole('tab', { name: 'Methods', selected: true }).waitFor();
    await screen.expectUsable();
    for (const tab of ['Activation', 'Ranks', 'Phases']) {
      await left.getByRole('tab', { name: tab }).click();
      await screen.expectUsable(left.getByRole('tabpanel', { name: tab }));
    }
    await left
      .getByRole('button', { name: /works in a bakery/ })
      .first()
      .click();
    await page.getByText('FactsExtracted').waitFor();
    await screen.expectUsable(page.getByRole('region', { name: 'Memory', exact: true }));
  });

  test('says that nothing is found, and asks again when it is told to, or when a memory is deleted here', async () => {
    const person = await newUser(console);
    await remember(person);
    await using screen = await console.open({ as: person, path: '/search?q=quantum+chromodynamics' });
    const { page } = screen;
    const nothing = page.getByText('Nothing stored has to do with it.', { exact: false });
    await nothing.waitFor();
    const content = 'Ana Costa teaches quantum chromodynamics.';
    await person.http.post('/api/memories/batch', { agent_id: 'alice', document_id: 'work', items: [{ content }] });
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const found = page.getByRole('region', { name: 'Results' }).getByRole('button', { name: content });
    await found.waitFor();
    await page.getByRole('link', { name: 'Documents' }).click();
    await page.getByRole('link', { name: 'work' }).click();
    await agreeTo(page, 'Delete document');
    await page.getByText('1 document', { exact: true }).waitFor();
    // To the search: the list, the document and the list come after it.
    await page.evaluate('history.go(-3)');
    await nothing.waitFor();
    expect(await found.count()).toBe(0);
  });
});
