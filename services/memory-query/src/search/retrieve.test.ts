import { expect, it } from 'vitest';
import { fuse } from './retrieve.ts';

const hits = (...ids: string[]) => ids.map((id) => ({ id, score: 1 }));

it('gives the score 1 to a hit that is first everywhere', () => {
  const fused = fuse([
    { hits: hits('a', 'b'), weight: 1 },
    { hits: hits('a'), weight: 0.5 },
  ]);
  expect(fused[0]).toEqual({ id: 'a', score: expect.closeTo(1, 10) });
});

it('puts a hit of two methods above a hit of one at the same rank', () => {
  const rankings = [
    { hits: hits('a', 'b'), weight: 1 },
    { hits: hits('c', 'b'), weight: 1 },
  ];
  expect(fuse(rankings).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
});

it('sorts equal scores by id, so that repeated searches give the same order', () => {
  const rankings = [
    { hits: hits('z'), weight: 1 },
    { hits: hits('a'), weight: 1 },
  ];
  expect(fuse(rankings).map(({ id }) => id)).toEqual(['a', 'z']);
});
