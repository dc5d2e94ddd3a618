import { expect, test } from 'vitest';
import type { History } from '../retrieval/history.ts';
import type { Answer, QuestionSet, SetRun } from '../retrieval/measure-set.ts';
import type { Found } from '../retrieval/search.ts';
import { setReport } from './set-report.ts';

const questions = [
  { question: 'first', category: 1, evidence: ['a'] },
  { question: 'second', category: 4, evidence: ['b'] },
  { question: 'third', category: 5, evidence: ['c'] },
];
const turn = (id: string) => ({ turn: id, speaker: 'Ana', text: id });
const history: History = {
  conversation: 'ana',
  sessions: [{ session: 1, date: '2025-01-05', turns: ['a', 'b', 'c'].map(turn) }],
  questions,
};
const set: QuestionSet = {
  name: 'letters',
  histories: [history],
  asked: questions.map((question) => ({ history, question })),
  unanswerable: [],
};

/** Answers to the three questions, each with these turns. */
function answers(...rankings: string[][]): Answer[] {
  return set.asked.map((asked, index) => ({ ...asked, ranking: foundOf(rankings[index] ?? []) }));
}

function foundOf(turns: readonly string[], relevantResults = turns.length): Found {
  const scores = turns.map(() => 1);
  return { turns, scores, turnsInBudget: turns.length, results: turns.length, relevantResults, milliseconds: 10 };
}

function runOf(own: readonly Answer[], rest: Partial<SetRun> = {}): SetRun {
  const found = own.map((answer) => ({ ...answer, ranking: foundOf(answer.ranking.turns) }));
  return { answers: found, ofOthers: [], offTopic: [], turns: 3, storeSeconds: 0.5, memory: undefined, ...rest };
}

function methodsOf(run: SetRun) {
  const baselines = new Map([['BM25+nb', answers(['x', 'a'], ['b'], ['c'])]]);
  const { methods } = setReport(set, baselines, new Map([['ours', run]]));
  return Object.fromEntries(methods.map((method) => [method.method, method]));
}

test('the means leave out adversarial questions, which have a category of their own', () => {
  const { ours } = methodsOf(runOf(answers(['a'], [], [])));
  expect(ours?.overall.questions).toBe(2);
  expect(ours?.overall.scores.recallAt5.mean).toBe(0.5);
  expect(ours?.byCategory['5 adversarial']?.scores.recallAt5.mean).toBe(0);
  expect(Object.keys(ours?.byCategory ?? {})).toEqual(['1 multi-hop', '4 single-hop', '5 adversarial']);
});

test('the difference to the reference is taken question by question', () => {
  const { ours, 'BM25+nb': reference } = methodsOf(runOf(answers(['a'], ['x', 'b'], [])));
  // Reciprocal ranks 1 and 1/2 against 1/2 and 1: no difference on average, but one of each question.
  const difference = ours?.overall.difference?.reciprocalRank;
  expect([difference?.mean, difference?.low, difference?.high]).toEqual([0, -0.5, 0.5]);
  expect(reference?.overall.difference).toBeUndefined();
});

test('junk counts the results of off-topic questions, all of them and those not of low relevance', () => {
  const offTopic = [foundOf(['a', 'b', 'c'], 1), foundOf([]), foundOf(['a'], 0)];
  const { ours } = methodsOf(runOf(answers([], [], []), { offTopic }));
  expect(ours?.offTopic).toEqual({ questions: 3, results: 4 / 3, relevantResults: 1 / 3, most: 3 });
  expect(ours?.ofOthers).toBeUndefined();
});

test('the cost is of the run: turns per second, and the latency of the questions', () => {
  const { ours } = methodsOf(runOf(answers([], [], [])));
  expect(ours?.cost).toMatchObject({ turnsPerSecond: 6, search: { p50Ms: 10, p95Ms: 10 } });
});
