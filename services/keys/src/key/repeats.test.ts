import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Key } from './decider.ts';
import { assertAnswerLost, rememberKeys } from './repeats.ts';

const madeAt = Date.parse('2026-12-01T12:00:00.000Z');
const key = { keyHash: 'h', commandId: 'c', madeAt: new Date(madeAt).toISOString() } as Key;
const inSeconds = (seconds: number) => new Date(madeAt + seconds * 1_000);

afterEach(() => void vi.useRealTimers());

describe('a command that is repeated', () => {
  it.each([7, 30, 500, 599])('does not wait for the process that asks, %i s after it has made the key', (seconds) => {
    vi.useFakeTimers({ now: madeAt });
    const known = rememberKeys();
    known.noteOwn('h');
    vi.advanceTimersByTime(seconds * 1_000);
    expect(() => assertAnswerLost(key, 'c', known, new Date())).not.toThrow();
  });

  it.each([-7, 0, 7, 500])(
    'waits as long as the answer of another process may take, whose clock differs (%i s)',
    (skew) => {
      let now = 0;
      const known = rememberKeys(() => now);
      const repeat = () => assertAnswerLost(key, 'c', known, inSeconds(skew));
      expect(repeat).toThrow(expect.objectContaining({ status: 503, extra: { retry_after: 6 } }));
      now += 4_500;
      expect(repeat).toThrow(expect.objectContaining({ extra: { retry_after: 2 } }));
      now += 1_500;
      expect(repeat).not.toThrow();
    },
  );

  it.each([
    ['that this process has carried out', 'c', 1, true],
    ['after so long that no clock differs by it', 'c', 600, false],
    ['as another command', 'd', 1, false],
  ])('does not wait %s', (_, commandId, age, isOwn) => {
    const known = rememberKeys();
    if (isOwn) known.noteOwn('h');
    expect(() => assertAnswerLost(key, commandId, known, inSeconds(age))).not.toThrow();
  });

  it('is forgotten some time after no answer can be on its way', () => {
    let now = 0;
    const known = rememberKeys(() => now);
    known.noteOwn('own');
    known.foreignForMs('foreign');
    now += 11 * 60_000;
    known.noteOwn('later');
    expect(['own', 'later'].map(known.isOwn)).toEqual([false, true]);
    expect(known.foreignForMs('foreign')).toBe(0);
  });
});
