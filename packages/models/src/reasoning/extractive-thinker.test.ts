import { describe, expect, test } from 'vitest';
import type { ThinkInput } from '../reasoning-ports.ts';
import { createExtractiveThinker } from './extractive-thinker.ts';

const thinker = createExtractiveThinker();
const unknown = 'I do not know. Nothing that I remember answers this.';
const fact = (text: string, eventDate: string | null = null) => ({ text, eventDate });

const memory: Omit<ThinkInput, 'query'> = {
  context: null,
  agent: {
    personality: {
      openness: 0.5,
      conscientiousness: 0.5,
      extraversion: 0.5,
      agreeableness: 0.5,
      neuroticism: 0.5,
      bias_strength: 0.5,
    },
    background: 'I am a curious librarian.',
  },
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
    'I remember this: "Anna lives in Berlin." (7 May 2023) My opinion so far: "I think that Berlin suits Anna well."',
  );
});

test.each([
  ['When was the bridge opened?', 'I remember this: "The bridge was opened in 1990."'],
  ['Did you book a table?', 'I remember this: "I booked a table for Anna at Chez Paul."'],
  ['Which pets are the best?', `I remember this: "Ben: I think that 'dogs' are the best pets."`],
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
    'I remember this: "The door is green."',
  );
});

test('without any memories', async () => {
  expect(await ask('Where does Anna live?', { worldFacts: [], agentFacts: [], opinions: [] })).toBe(unknown);
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
