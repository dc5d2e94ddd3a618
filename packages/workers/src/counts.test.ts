import { expect, it } from 'vitest';
import { Counts } from './counts.ts';

it('counts each thing up and down', () => {
  const counts = new Counts<string>();
  expect([counts.of('a'), counts.add('a', 2), counts.add('b', 1), counts.add('a', -1)]).toEqual([0, 2, 1, 1]);
  expect([counts.of('a'), counts.of('b')]).toEqual([1, 1]);
  expect([counts.add('a', -1), counts.of('a'), counts.of('b')]).toEqual([0, 0, 1]);
});
