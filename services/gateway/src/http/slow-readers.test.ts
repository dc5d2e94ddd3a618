import { expect, it } from 'vitest';
import { newReading, type Reading, tooSlow } from './slow-readers.ts';

const now = 100_000;
const limits = { stallTimeoutMs: 30_000, maxUnreadBytes: 100_000_000 };
/** Of a caller that has been behind for a while. */
const reading = (unreadBytes: number, more: Partial<Reading> = {}): Reading => ({
  ...newReading(now - 10_000),
  unreadBytes,
  progressAt: now,
  ...more,
});
const chosen = (readings: Record<string, Reading>) => tooSlow(new Map(Object.entries(readings)), limits, now);

it('lets slow readers continue while all together leave little unread', () => {
  expect(chosen({ a: reading(50_000_000), b: reading(50_000_000) })).toEqual([]);
});

it('closes those with most unread, until the others are within the limit', () => {
  const small = reading(30_000);
  expect(chosen({ a: reading(40_000_000), b: reading(50_000_000), c: reading(70_000_000), small })).toEqual(['c']);
  expect(chosen({ a: reading(80_000_000), b: reading(90_000_000), c: reading(70_000_000), small })).toEqual(['b', 'a']);
});

it('closes slow readers before fast ones that have more unread', () => {
  const fast = reading(90_000_000, { bytesPerLook: 10_000_000 });
  expect(chosen({ fast, slow: reading(20_000_000, { bytesPerLook: 1_000 }) })).toEqual(['slow']);
});

it('does not count callers that have only just begun to read', () => {
  const fresh = reading(90_000_000, { behindSince: now - 1_000 });
  expect(chosen({ fresh, slow: reading(90_000_000) })).toEqual([]);
});

it('closes those that read nothing for too long, which count no more', () => {
  const stalled = reading(90_000_000, { progressAt: now - 30_001 });
  expect(chosen({ slow: reading(90_000_000), stalled })).toEqual(['stalled']);
  expect(chosen({ small: reading(1, { progressAt: now - 30_001 }) })).toEqual(['small']);
});
