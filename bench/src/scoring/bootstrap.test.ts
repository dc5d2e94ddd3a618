import { expect, test } from 'vitest';
import { estimate } from './bootstrap.ts';

test('equal values have no spread', () => {
  expect(estimate([0.5, 0.5, 0.5])).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
});

test('the interval of a share is about as wide as its normal approximation', () => {
  const values = Array.from({ length: 400 }, (_, index) => (index < 100 ? 1 : 0));
  const { mean, low, high } = estimate(values);
  const halfWidth = 1.96 * Math.sqrt((0.25 * 0.75) / 400);
  expect(mean).toBe(0.25);
  expect(low).toBeGreaterThan(0.25 - 1.15 * halfWidth);
  expect(low).toBeLessThan(0.25 - 0.85 * halfWidth);
  expect(high).toBeLessThan(0.25 + 1.15 * halfWidth);
  expect(high).toBeGreaterThan(0.25 + 0.85 * halfWidth);
});

test('the same values give the same interval', () => {
  const values = [0, 1, 1, 0, 0.5, 0.25];
  expect(estimate(values)).toEqual(estimate(values));
});

test('a small difference of paired questions is told from none although the questions differ much', () => {
  const first = Array.from({ length: 200 }, (_, index) => (index % 10) / 10);
  const second = first.map((value, index) => value + (index % 2 === 0 ? 0.04 : 0.02));
  const paired = estimate(second.map((value, index) => value - (first[index] ?? 0)));
  expect(paired.low).toBeGreaterThan(0);
  expect(estimate(second).low).toBeLessThan(estimate(first).high);
});

test('no values have no mean', () => {
  expect(estimate([])).toEqual({ mean: Number.NaN, low: Number.NaN, high: Number.NaN });
});
