import { expect, it } from 'vitest';
import { unitId } from '../read-model/rows.ts';
import { planVisits } from './candidates.ts';

const entry = (operationId: string, fact: number, isInDocument = true) => ({
  id: unitId(operationId, fact),
  operationId,
  fact,
  isInDocument,
  score: 1,
});

it('never visits more units than the budget allows', () => {
  const entries = Array.from({ length: 50 }, (_, index) => entry('a', index * 10));
  for (const budget of [1, 2, 7, 100]) expect(planVisits(entries, budget).length).toBeLessThanOrEqual(budget);
});

it('visits the neighbours in a document, and each unit once', () => {
  const visits = planVisits([entry('a', 1), entry('a', 2)], 100);
  expect(visits.map(({ fact, by }) => [fact, by])).toEqual([
    [1, 'entry'],
    [2, 'entry'],
    [0, 'neighbour'],
    [3, 'neighbour'],
    [4, 'neighbour'],
  ]);
});

it('visits no neighbours outside documents', () => {
  expect(planVisits([entry('a', 1, false)], 100)).toHaveLength(1);
});
