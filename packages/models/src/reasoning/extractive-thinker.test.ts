import { describe, expect, test } from 'vitest';
import type { ThinkInput } from '../reasoning-ports.ts';
import { neutralAgent } from '../testing/sample-tasks.ts';
import { createExtractiveThinker } from './extractive-thinker.ts';

const thinker = createExtractiveThinker();
const unknown = 'I do not know. Nothing that I remember answers this.';
const fact = (text: string, eventDate: string | null = null) => ({ text, eventDate });

const memory: Omit<ThinkInput, 'query'> = {
  context: null,
  agent: { ...neutralAgent, background: 'I am a curious librarian.' },
  worldFacts: [
    fact('Anna lives in Berlin.', '2023-05-07T12:00:00.000Z'),
    fact('Anna likes cats.'),
    fact('Ben: I think that "dogs" are the best pets.'),
    fact('The bridge was opened in 1990.'),
  ],
  agentFacts: [fact('I booked a table for Anna at Chez Paul.')],
  opinions: [{ text: 'I think that Berlin suits Anna well.', eventDate: null, confidence: 0.6 }],
  now: '2023-06-01T00:00:00Z',
};

function ask(query: string, change: Partial<ThinkInput> = {}): Promise<string> {
  return thinker.think({ ...memory, ...change, query });
}

test('quotes the facts that answer the question, with their date, and the opinions about it', async () => {
  expect(await ask('Where does Anna live?')).toBe(
    'I remember: "Anna lives in Berlin." (7 May 2023) My opinion so far: "I think that Berlin suits Anna well."',
  );
});

const found = (text: string, score: number) => ({ ...fact(text), score, relevance: 'high' as const });

test.each([
  ['Has Anna been to Japan?', [found('Anna: I like tea.', 0.6)], false],
  ['Has Anna been to Japan?', [found('Anna: Japan was hot.', 0.6)], true],
  ['Where are Anna and Ben?', [found('Anna is in Rome.', 0.6), found('Ben is in Oslo.', 0.6)], true],
  ['Who has the key?', [found('Rosa: Who has the key? (7 May 2023)', 0.6)], false],
  ['Who has the key?', [found('Rosa: Who has the key?', 0.6), found('Imke: Harald has the key', 0.6)], true],
  ['Was invoice INV-55 paid?', [found('Invoice INV-88 was paid.', 0.6)], false],
  ['Was invoice INV-55 paid?', [found('The invoice was paid.', 0.6)], false],
  ['Was invoice INV-55 paid?', [found('INV-55 was paid.', 0.6)], true],
  [
    'What happened to ticket SUP-1205?',
    [
      found('Mia: What happened to ticket SUP-1205?', 0.7),
      found('Tom: Merged into SUP-1300, which Dmitri fixed.', 0.6),
    ],
    true,
  ],
  ['Was invoice INV-55 paid?', [found('INV-55/2024 was paid.', 0.6)], true],
  ['Which colour has locker 500?', [found('The bike of this colour cost 500 euros.', 0.6)], false],
  ['What happened yesterday?', [found('Ben sold his boat.', 0.55)], true],
  ['What did Kira do yesterday?', [found('Ben sold his boat.', 0.55)], false],
])('%s with %j: sure is %j', async (query, worldFacts, isSure) => {
  const answer = await ask(query, { worldFacts, agentFacts: [], opinions: [] });
  expect(answer.startsWith(isSure ? 'I remember:' : 'I am not sure')).toBe(true);
});

const low = (text: string, score: number) => ({ ...fact(text), score, relevance: 'low' as const });

test.each([
  [
    'What must I leave out of a recipe?',
    [low('User is allergic to nuts.', 0.3), low('Anna likes tea.', 0.25)],
    'User is allergic to nuts.',
  ],
  [
    'What must I leave out of a recipe?',
    [low('What is in it?', 0.4), low('User is allergic to nuts.', 0.3)],
    'User is allergic to nuts.',
  ],
  ['What must I leave out of a recipe?', [low('User is allergic to nuts.', 0.15)], undefined],
  ['Was invoice INV-55 paid?', [low('Invoice INV-88 was settled.', 0.4)], undefined],
  ['Who went home yesterday?', [low('Ben was discharged.', 0.4)], undefined],
  ["Anna's doctor?", [low("Ben's doctor is Dr. Lee.", 0.4)], undefined],
])('%s with only %j, which are not relevant: the closest is %j', async (query, worldFacts, quoted) => {
  expect(await ask(query, { worldFacts, agentFacts: [], opinions: [] })).toBe(
    quoted === undefined ? unknown : `I am not sure. The closest that I remember: "${quoted}"`,
  );
});

test.each([
  ['The shelf is 48" wide.', '“The shelf is 48" wide.”'],
  ['Run the shelf with --name="prod".', '“Run the shelf with --name="prod".”'],
  ['The shelf: „Das ist alternativlos“', '"The shelf: „Das ist alternativlos“"'],
  ['The “blue” shelf is 48" wide.', '«The “blue” shelf is 48" wide.»'],
  ['The “blue” «shelf» is 48" wide.', '«The “blue” ‹shelf› is 48" wide.»'],
])('quotes %j unchanged, in marks that it does not have', async (text, quoted) => {
  const worldFacts = [found(text, 0.6)];
  expect(await ask('How wide is the shelf?', { worldFacts, agentFacts: [], opinions: [] })).toBe(
    `I remember: ${quoted}`,
  );
});

test('quotes no question where there is a statement', async () => {
  const worldFacts = [found('Rosa: Who has the key?', 0.7), found('Imke: Harald', 0.6)];
  expect(await ask('Who has the key?', { worldFacts, agentFacts: [], opinions: [] })).toBe(
    'I remember: "Imke: Harald"',
  );
  const rest = { worldFacts: worldFacts.slice(0, 1), agentFacts: [], opinions: [] };
  expect(await ask('Who has the key?', rest)).toBe('I am not sure, but I remember: "Rosa: Who has the key?"');
});

test('shortens a long fact between two characters', async () => {
  const answer = await ask('Where does Anna live?', {
    worldFacts: [fact(`Anna lives in Berlin ${'🥳'.repeat(400)}.`)],
  });
  expect(answer.isWellFormed()).toBe(true);
});

test('the date is that of the place where the question is asked', async () => {
  const worldFacts = [fact('Anna lives in Berlin.', '2023-05-07T23:30:00.000Z')];
  const now = '2023-06-01T12:00:00.000+02:00';
  expect(await ask('Where does Anna live?', { worldFacts, opinions: [], now })).toContain('(8 May 2023)');
});

test.each([
  ['When was the bridge opened?', 'I remember: "The bridge was opened in 1990."'],
  ['Did you book a table?', 'I remember: "I booked a table for Anna at Chez Paul."'],
  ['Which pets are the best?', `I remember: “Ben: I think that "dogs" are the best pets.”`],
])('%s', async (query, answer) => {
  expect(await ask(query)).toBe(answer);
});

test.each(['What is the capital of Peru?', 'Who won the election?', '???', '', 'What do you think?'.slice(0, 4)])(
  '%j: it says that it does not know',
  async (query) => {
    expect(await ask(query)).toBe(unknown);
  },
);

test('a fact with one of several words is not an answer', async () => {
  expect(await ask('How much did the wedding dress of Anna cost in Paris?')).toBe(unknown);
});

test.each(['Who are you?', 'Tell me about yourself.'])('%s is answered with the background', async (query) => {
  expect(await ask(query)).toBe('I am a curious librarian.');
});

test('the context of a question counts as a fact', async () => {
  expect(await ask('What colour is the door?', { context: 'The door is green.' })).toBe(
    'I am not sure, but I remember: "The door is green."',
  );
  expect(await ask('Is the door green?', { context: 'The door is green.' })).toBe('I remember: "The door is green."');
});

test('without any memories', async () => {
  expect(await ask('Where does Anna live?', { worldFacts: [], agentFacts: [], opinions: [] })).toBe(unknown);
});

describe('of facts that a search has found', () => {
  const found = (text: string, score: number, relevance: 'high' | 'low' = 'high', eventDate: string | null = null) => ({
    ...fact(text, eventDate),
    score,
    relevance,
  });
  const held = (text: string, score: number, relevance: 'high' | 'low' = 'high') => ({
    ...found(text, score, relevance),
    confidence: 0.6,
  });
  const none = { worldFacts: [], agentFacts: [], opinions: [] };

  test('those without a word of the question answer it, if the search finds them relevant', async () => {
    const worldFacts = [found('Anna moved to Berlin.', 0.62, 'high', '2023-05-07T12:00:00.000Z')];
    expect(await ask('Which city is her home?', { ...none, worldFacts })).toBe(
      'I am not sure, but I remember: "Anna moved to Berlin." (7 May 2023)',
    );
  });

  test.each([
    ['Is Anna married?', 'I am not sure, but I remember: "Anna moved to Berlin."'],
    ['When did Anna move?', 'I remember: "Anna moved to Berlin."'],
    ['Who is Anna?', 'I remember: "Anna moved to Berlin."'],
  ])('it is sure only if more than a name is shared: %s', async (query, answer) => {
    expect(await ask(query, { ...none, worldFacts: [found('Anna moved to Berlin.', 0.62)] })).toBe(answer);
  });

  test('the best of all lists come first, at most three, and not those that are much worse', async () => {
    const worldFacts = [found('w1', 0.7), found('w2', 0.56), found('w3', 0.48)];
    const agentFacts = [found('a1', 0.65), found('a2', 0.6)];
    expect(await ask('Is it w1?', { ...none, worldFacts, agentFacts })).toBe('I remember: "w1" "a1" "a2"');
    expect(await ask('Is it w1?', { ...none, worldFacts })).toBe('I remember: "w1" "w2"');
  });

  test('it is not sure of facts that match only a part', async () => {
    const worldFacts = [found('Anna moved to Berlin.', 0.42)];
    expect(await ask('Why did Anna move?', { ...none, worldFacts })).toBe(
      'I am not sure, but I remember: "Anna moved to Berlin."',
    );
    expect(await ask('Which city do you like?', { ...none, opinions: [held('I like Rome.', 0.42)] })).toBe(
      'I am not sure, but my opinion so far: "I like Rome."',
    );
  });

  test('it does not know if nothing is relevant, even if words are shared', async () => {
    const worldFacts = [found('Anna lives in Berlin.', 0.3, 'low')];
    const opinions = [held('I think that Anna is kind.', 0.2, 'low')];
    expect(await ask('Where does Anna work?', { ...none, worldFacts, opinions })).toBe(unknown);
  });

  test('at most two opinions are told, and only relevant ones', async () => {
    const opinions = [held('o1', 0.7), held('o2', 0.65), held('o3', 0.6), held('o4', 0.9, 'low')];
    expect(await ask('What about o1?', { ...none, opinions })).toBe('My opinion so far: "o1" "o2"');
  });

  test('a date that the text tells is not told twice', async () => {
    const worldFacts = [found('Anna came yesterday (7 May 2023).', 0.6, 'high', '2023-05-07T12:00:00.000Z')];
    expect(await ask('What happened on 7 May?', { ...none, worldFacts })).toBe(
      'I remember: "Anna came yesterday (7 May 2023)."',
    );
  });
});

test.each([
  'What have you been up to?',
  'What have you done?',
  'What have you done lately?',
  'What did you do recently?',
  'Tell me what you have done so far.',
])('%s is answered with its newest experiences, which no search has found', async (query) => {
  expect(await ask(query)).toBe('I remember: "I booked a table for Anna at Chez Paul."');
});

test.each(['What did I tell you?', 'What did they tell you?', 'What do you know about me?'])(
  '%s is no question about the agent',
  async (query) => {
    expect(await ask(query)).toBe(unknown);
  },
);

test.each([
  ['What is your name?', 'I remember: "My name is Mira."'],
  ['Where do you live?', 'I remember: "I live in Porto."'],
  ['Can you help me find my keys?', unknown],
  ['Did you book the tickets?', unknown],
  ['Do you know where Anna lives?', unknown],
  ['Did I tell you where I live?', unknown],
])('%s is answered with a sentence of the background, if it is about the agent', async (query, answer) => {
  const agent = {
    ...memory.agent,
    background: 'My name is Mira. I live in Porto. I help people find keys and book tickets.',
  };
  expect(await ask(query, { agent, worldFacts: [], agentFacts: [], opinions: [] })).toBe(answer);
});

describe('an answer stays an answer', () => {
  test('of few facts', async () => {
    const worldFacts = Array.from({ length: 50 }, (_, i) => fact(`Anna lives in house ${i}.`));
    expect((await ask('Where does Anna live?', { worldFacts, opinions: [] })).match(/"/g)).toHaveLength(6);
  });

  test('of bounded length', async () => {
    const worldFacts = [fact(`Anna lives ${'far away '.repeat(10_000)}`)];
    expect((await ask('Where does Anna live?', { worldFacts, opinions: [] })).length).toBeLessThan(700);
  });
});

test('the same question gets the same answer', async () => {
  expect(await ask('Where does Anna live?')).toBe(
    await createExtractiveThinker().think({ ...memory, query: 'Where does Anna live?' }),
  );
});
