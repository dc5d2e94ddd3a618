import { describe, expect, it } from 'vitest';
import type { Key } from './decider.ts';
import { assertAnswerLost, rememberKeys } from './repeats.ts';

const madeAt = Date.parse('2026-12-01T12:00:00.000Z');
const key = { keyHash: 'h', commandId: 'c', madeAt: new Date(madeAt).toISOString() } as Key;
const inSeconds = (seconds: number) => new Date(madeAt + seconds * 1_000);

describe('a command that is repeated', () => {
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
});
