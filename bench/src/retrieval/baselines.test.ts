import { expect, test } from 'vitest';
import { baselineSearches } from './baselines.ts';
import type { History } from './history.ts';

const turn = (id: string, text: string, caption?: string) => ({
  turn: id,
  speaker: 'Ana',
  text,
  ...(caption ? { image_caption: caption } : {}),
});

const history: History = {
  conversation: 'ana',
  sessions: [
    {
      session: 1,
      date: '2025-01-05',
      turns: [turn('1:1', 'I bought a kiln'), turn('1:2', 'It is blue'), turn('1:3', 'Rain again', 'a kiln')],
    },
    { session: 2, date: '2025-03-09', turns: [turn('2:1', 'Nothing new'), turn('2:2', 'The kiln is broken, sadly')] },
  ],
  questions: [],
};

test('BM25 finds the turns that share words with the question, the shorter one first; captions do not count', () => {
  const { turns, scores, turnsInBudget } = baselineSearches(history).BM25('Where is the kiln?');
  expect(turns).toEqual(['1:1', '2:2']);
  expect(scores[0]).toBeGreaterThan(scores[1] ?? 0);
  expect(turnsInBudget).toBe(2);
});

test('neighbours get 0.3 times the score, within their session only', () => {
  const plain = baselineSearches(history).BM25('kiln');
  const { turns, scores } = baselineSearches(history)['BM25+nb']('kiln');
  expect(turns).toEqual(['1:1', '2:2', '1:2', '2:1']);
  expect(scores[2]).toBeCloseTo(0.3 * (plain.scores[0] ?? 0), 10);
  expect(scores[3]).toBeCloseTo(0.3 * (plain.scores[1] ?? 0), 10);
});

test('the date is part of the text where the name says so', () => {
  expect(baselineSearches(history)['BM25+nb']('March').turns).toEqual([]);
  expect(baselineSearches(history)['BM25+date+nb']('March').turns).toEqual(['2:1', '2:2']);
});

test('turns count towards the budget whole, at four characters a token', () => {
  const long = (id: string) => turn(id, `kiln ${'x'.repeat(9_000)}`);
  const session = { session: 1, date: '2025-01-05', turns: [long('1'), long('2'), turn('3', 'rain')] };
  const { turns, turnsInBudget } = baselineSearches({ ...history, sessions: [session] }).BM25('kiln');
  expect(turns).toEqual(['1', '2']);
  expect(turnsInBudget).toBe(1);
});
