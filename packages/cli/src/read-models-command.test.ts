import type { ReadModelVersion } from '@mneme/contracts';
import { expect, test } from 'vitest';
import { describeReadModel, describeVerification } from './read-models-command.ts';

const lane = { lane: 0, position: 9, lagSeconds: 0, queued: 0, failuresInARow: 0, reason: null, deferred: 0 };
const version: ReadModelVersion = {
  name: 'memory',
  version: 3,
  form: 'f',
  state: 'live',
  reason: null,
  head: 9,
  position: 9,
  lagSeconds: 0,
  lanes: [lane, { ...lane, lane: 1 }],
  deferrals: [],
};
const linesOf = (given: Partial<ReadModelVersion>) =>
  describeReadModel({
    service: 'memory-query',
    name: 'memory',
    reason: null,
    versions: [{ ...version, ...given }],
  });

test('a version whose lanes are up to date is one line', () => {
  expect(linesOf({})).toEqual(['memory-query\tmemory@3\tlive\t9/9\t0.0 s behind\t0 dead letters']);
});

test('a lane that cannot be written, or is behind, has a line of its own', () => {
  const failed = { ...lane, lane: 1, position: 5, lagSeconds: 2, deferred: 4, reason: 'MongoDB is away' };
  const late = { ...lane, lane: 2, position: 4, lagSeconds: 31 };
  const lines = linesOf({ state: 'failed', position: 4, lagSeconds: 31, lanes: [lane, failed, late] });
  expect(lines).toEqual([
    'memory-query\tmemory@3\tfailed\t4/9\t31.0 s behind\t0 dead letters',
    'memory-query\tmemory@3\tlane 1\t5/9\t2.0 s behind\t4 deferred\tMongoDB is away',
    'memory-query\tmemory@3\tlane 2\t4/9\t31.0 s behind\t0 deferred',
  ]);
});

test('vectors without a unit may be those of rows that are missing', () => {
  const verified = (orphans: number) =>
    describeVerification({ checked: 7, repaired: { 'units without a vector': 1, 'vectors without a unit': orphans } });
  expect(verified(0)).toBe('7 checked\nunits without a vector: 1 repaired\nvectors without a unit: 0 repaired');
  expect(verified(3)).toMatch(
    /vectors without a unit: 3 repaired\nIf nothing was deleted .* run `mneme rebuild memory`/,
  );
});
