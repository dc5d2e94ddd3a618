import { expect, test } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const now = new Date('2026-11-20T12:00:00Z');

test.each([
  ['0', 0],
  ['7', 7000],
  [' 2.5 ', 2500],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
  ['Fri, 20 Nov 2026 11:59:00 GMT', 0],
  ['Friday, 20-Nov-26 12:01:00 GMT', 60_000],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['1e9', undefined],
  ['99999999999', undefined],
])('Retry-After %j is %j ms', (value, expected) => {
  expect(readRetryAfter(value, now)).toBe(expected);
});
