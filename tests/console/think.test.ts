import type { ModelServer } from '@mneme/models/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { oneOpinion, shareModelServer } from '../models/model-system.ts';
import { eventually } from '../system/eventually.ts';
import type { Person } from '../system/person.ts';
import { agreeTo, describeInBrowser, newUser, startConsole, type TestConsole } from './browser.ts';
import { expectHarmless, hostileTexts } from './hostile-texts.ts';
import { pressButton, tabTo } from './keyboard.ts';

let console: TestConsole;
let model: ModelServer;

const belief = 'I believe that Ana enjoys trips on boats.';
const answer = 'Ana loves boats, so yes.';

const store = (person: Person, content: string) =>
  person.http.post('/api/memories/batch', { agent_id: 'mia', items: [{ content }] });

async function knowing(): Promise<Person> {
  const person = await newUser(console);
  await store(person, 'Ana loves boats and the sea.');
  return person;
}

describeInBrowser('thinking', () => {
  beforeAll(async () => {
    const shared = await shareModelServer();
    model = shared.model;
    console = await startConsole(shared.settings);
  });
  afterEach(() => model.reset());
  afterAll(() => console.release());

  test('answers a question with the memories under it, and shows how an opinion formed and changed', async () => {
    const person = await knowing();
    model.replies.next('think', answer);
    model.replies.next('opinions', oneOpinion(belief));
    await using screen = await console.open({ as: person, path: '/think?agent=mia' });
    const { page } = screen;
    await page.getByRole('textbox', { name: 'Question' }).fill('Would Ana like a trip on a boat?');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText(answer).waitFor();
    await page.getByRole('link', { name: 'Ana loves boats and the sea.' }).waitFor();
    await page.getByRole('link', { name: belief }).waitFor();
    await screen.screenshot('think');

    const lowered = { verdict: 'lower', text: belief, confidence: 0.3 };
    model.replies.always('revise', { json: { ...lowered, entities: [] } });
    await store(person, 'Ana was sick on all trips on boats this year.');
    const opinion = async () => {
      const { body } = await person.http.get('/api/list?agent_id=mia&fact_type=opinion');
      return (await person.http.get(`/api/memory/${body.items[0].id}`)).body;
    };
    await eventually('the opinion is revised', async () => (await opinion()).opinion.length === 2);

    await page.getByRole('link', { name: belief }).click();
    await page.getByRole('heading', { name: 'How it changed, and why' }).waitFor();
    await page.getByText('Confidence 80 % → 30 %').waitFor();
    await page.getByText('Became less sure').waitFor();
    await page.getByRole('link', { name: 'Ana was sick on all trips on boats this year.' }).waitFor();
    await page.getByText('Confidence over time').waitFor();
    await screen.expectAccessible();
    await screen.screenshot('opinion');
    await page.getByRole('link', { name: 'All opinions' }).click();
    await page.getByText('1 opinion', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Conversation' }).click();
    await page.getByText(answer).waitFor();
  });

  test('happens by keyboard alone', async () => {
    const person = await knowing();
    model.replies.next('think', answer);
    await using screen = await console.open({ as: person, path: '/think?agent=mia' });
    const { page } = screen;
    await page.getByText('Ask the agent something').waitFor();
    await tabTo(page, 'Question');
    await page.keyboard.type('Would Ana');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('like a trip?');
    await page.keyboard.press('Enter');
    await page.getByText(answer).waitFor();
    expect(await page.getByRole('textbox', { name: 'Question' }).inputValue()).toBe('');
    await page.getByRole('link', { name: 'Ana loves boats and the sea.' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/memories\//);
    await page.goBack();
    await page.getByText(answer).waitFor();
    await pressButton(page, 'Clear the conversation');
    await page.getByText('Ask the agent something').waitFor();
  });

  test('says what to do when the model fails, asks again, and begins anew with another agent of the same name', async () => {
    const person = await knowing();
    model.replies.next('think', { fault: 'server-error' }, { fault: 'server-error' }, answer);
    await using screen = await console.open({ as: person, path: '/think?agent=mia', allowedErrors: /50[0-9]/ });
    const { page } = screen;
    await page.getByRole('textbox', { name: 'Question' }).fill('Would Ana like a trip on a boat?');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await screen.expectAccessible(page.getByRole('log'));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(answer).waitFor();

    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('link', { name: 'mia' }).click();
    await agreeTo(page, 'Erase agent');
    await page.getByText('There are no agents yet').waitFor();
    await person.http.put('/api/agents/mia', {});
    await page.getByRole('link', { name: 'Think', exact: true }).click();
    await page.getByText('Ask the agent something').waitFor();
    expect(await page.getByText(answer).count()).toBe(0);
  });

  test('keeps its options and what is typed while one looks at a memory', async () => {
    const person = await knowing();
    model.replies.always('think', answer);
    await using screen = await console.open({ as: person, path: '/think?agent=mia' });
    const { page } = screen;
    const question = page.getByRole('textbox', { name: 'Question' });
    const remembers = page.getByRole('switch', { name: 'The agent remembers the answer' });
    const ask = async () => {
      const sent = page.waitForRequest('**/api/think');
      await page.getByRole('button', { name: 'Ask' }).click();
      return (await sent).postDataJSON();
    };
    // The page scrolls to the last answer, and a click may fall beside what it was meant for.
    const openOptions = () =>
      expect
        .poll(async () => {
          if (!(await remembers.isVisible())) await page.getByText('Options').click();
          return remembers.isVisible();
        })
        .toBe(true);
    await openOptions();
    await remembers.press('Space');
    await question.fill('Would Ana like a trip on a boat?');
    expect(await ask()).toMatchObject({ store: false });
    await page.getByText(answer).waitFor();
    await question.fill('And a trip to the sea?');
    await page.getByRole('link', { name: 'Ana loves boats and the sea.' }).click();
    await page.waitForURL(/\/memories\//);
    await page.goBack();
    await page.getByText(answer).waitFor();
    expect(await question.inputValue()).toBe('And a trip to the sea?');
    await openOptions();
    expect(await remembers.isChecked()).toBe(false);
    expect(await ask()).toMatchObject({ query: 'And a trip to the sea?', store: false });
    await page.getByText(answer).nth(1).waitFor();
    expect(await question.inputValue()).toBe('');
  });

  test('shows answers, opinions and memories as text', async () => {
    const person = await newUser(console);
    await using screen = await console.open({ as: person, path: '/think?agent=mia' });
    const { page } = screen;
    for (const text of hostileTexts) {
      await store(person, text);
      model.replies.next('think', text);
      await page.getByRole('textbox', { name: 'Question' }).fill(text);
      await page.getByRole('button', { name: 'Ask' }).click();
      await page.getByRole('log').getByText(text.trim()).nth(1).waitFor();
    }
    await expectHarmless(page);
  });

  test('can be read in the light and the dark theme, 360 and 1280 pixels wide', async () => {
    const person = await knowing();
    model.replies.next('opinions', oneOpinion(belief));
    await using screen = await console.open({ as: person, width: 360, path: '/think?agent=mia' });
    const { page } = screen;
    await page.getByRole('textbox', { name: 'Question' }).fill('Would Ana like a trip on a boat?');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: belief }).waitFor();
    await page.getByText('Options').click();
    await screen.expectUsable();
    await page.getByRole('link', { name: belief }).click();
    await page.getByRole('heading', { name: 'How it changed, and why' }).waitFor();
    await screen.expectUsable();
  });
});
