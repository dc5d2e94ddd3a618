import { expect, test } from 'vitest';
import type { History } from './history.ts';
import { halfOf, questionsOfOthers, selectQuestions } from './questions.ts';

const histories = ['ana', 'bo', 'cem'].map(historyOf);

function historyOf(conversation: string): History {
  const questions = Array.from({ length: 60 }, (_, index) => ({
    question: `What did ${conversation} do on day ${index}?`,
    category: index % 10 === 0 ? 5 : 4,
    evidence: ['D1:1'],
  }));
  return { conversation, sessions: [{ session: 1, date: '2025-01-01', turns: [] }], questions };
}

test('each question is in one half, and the halves are of about the same size', () => {
  const all = { half: undefined, limit: undefined };
  const tune = selectQuestions(histories, { ...all, half: 'tune' });
  const report = selectQuestions(histories, { ...all, half: 'report' });
  expect(tune.length + report.length).toBe(180);
  expect(Math.abs(tune.length - report.length)).toBeLessThan(50);
  expect(new Set([...tune, ...report].map(({ question }) => question)).size).toBe(180);
});

test('the half depends on the history and the question only', () => {
  const [first, second] = selectQuestions(histories, { half: 'tune', limit: undefined });
  if (!first || !second) throw new Error('two questions expected');
  const { category, ...rest } = first.question;
  expect(halfOf({ history: { ...first.history, questions: [] }, question: { ...rest, category: 1 } })).toBe('tune');
  expect(category).toBeGreaterThan(0);
});

test('a limit takes a fixed sample of the set in its order, and a higher one extends it', () => {
  const few = selectQuestions(histories, { half: undefined, limit: 20 });
  const more = selectQuestions(histories, { half: undefined, limit: 40 });
  expect([few.length, more.length]).toEqual([20, 40]);
  const texts = more.map(({ question }) => question.question);
  const positions = few.map(({ question }) => texts.indexOf(question.question));
  expect(positions).not.toContain(-1);
  expect(positions.toSorted((left, right) => left - right)).toEqual(positions);
});

test('questions of others come from another history, once each, and never from the adversarial ones', () => {
  const asked = selectQuestions(histories, { half: undefined, limit: undefined });
  const sample = questionsOfOthers(histories, asked);
  expect(sample).toHaveLength(50);
  expect(new Set(sample.map(({ question }) => question)).size).toBe(50);
  for (const { history, question } of sample) {
    expect(history.questions.map((own) => own.question)).not.toContain(question);
    expect(question).not.toMatch(/day \d*0\?/);
  }
  expect(questionsOfOthers(histories, asked)).toEqual(sample);
});

test('a single history has no questions of others', () => {
  const [only] = histories;
  const alone = only ? [only] : [];
  expect(questionsOfOthers(alone, selectQuestions(alone, { half: undefined, limit: undefined }))).toEqual([]);
});

test('a question is not asked of a history in which somebody of its own speaks, whatever their roles are', () => {
  const withSpeakers = (names: readonly string[], index: number): History => {
    const turns = names.map((speaker, turn) => ({ turn: `D1:${turn}`, speaker, text: 'Hello.' }));
    return { ...historyOf(`h${index}`), sessions: [{ session: 1, date: '2025-01-01', turns }] };
  };
  const [first, second, third] = [['Ana', 'Bo'], ['Bo', 'Cem'], ['Dan']].map(withSpeakers) as [
    History,
    History,
    History,
  ];
  const all = [first, second, third];
  const sample = questionsOfOthers(all, selectQuestions(all, { half: undefined, limit: undefined }));
  for (const { history, question } of sample) {
    const isOfThird = third.questions.some((own) => own.question === question);
    expect(history === third).toBe(!isOfThird);
  }
  const chats = [['user', 'assistant'], ['user']].map(withSpeakers);
  expect(questionsOfOthers(chats, selectQuestions(chats, { half: undefined, limit: undefined }))).toHaveLength(50);
});
