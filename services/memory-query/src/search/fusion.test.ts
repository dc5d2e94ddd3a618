import { expect, it } from 'vitest';
import { fuse } from './fusion.ts';

const hits = (...ids: string[]) => ids.map((id) => ({ id, score: 1 }));

it('gives 1 to what is first everywhere', () => {
  const fused = fuse([
    { hits: hits('a', 'b'), weight: 1 },
    { hits: hits('a'), weight: 0.5 },
  ]);
  expect(fused[0]).toEqual({ id: 'a', score: expect.closeTo(1, 10) });
});

it('puts what two methods found above what one found at the same rank', () => {
  const rankings = [
    { hits: hits('a', 'b'), weight: 1 },
    { hits: hits('c', 'b'), weight: 1 },
  ];
  expect(fuse(rankings).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
});

it('orders equal scores by id, so that a search repeats itself', () => {
  const rankings = [
    { hits: hits('z'), weight: 1 },
    { hits: hits('a'), weight: 1 },
  ];
  expect(fuse(rankings).map(({ id }) => id)).toEqual(['a', 'z']);
});
