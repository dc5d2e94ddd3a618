import { expect, it } from 'vitest';
import { chunks } from './chunks.ts';

it.each([
  [0, []],
  [1, [[0]]],
  [3, [[0, 1, 2]]],
  [4, [[0, 1, 2], [3]]],
  [
    6,
    [
      [0, 1, 2],
      [3, 4, 5],
    ],
  ],
])('cuts %d items into pieces of three in their order, the rest last', (count, pieces) => {
  expect(chunks([...Array(count).keys()], 3)).toEqual(pieces);
});
