import { describe, expect, it } from 'vitest';
import { decide } from './decisions.ts';

const at = (seconds: number) => seconds * 1_000;
const usage = (...seconds: [number, number][]) => ({
  requests: 7,
  lastUsedAt: '1970-01-01T00:01:40.000Z',
  recent: seconds.map(([second, count]): [number, number] => [at(second), count]),
});

describe('deciding on requests', () => {
  it('admits as many as fit, in order, and counts only those', () => {
    const { decisions, usage: next } = decide(usage([100, 8]), [10, 10, 10], at(101));
    expect(decisions.map(({ isAdmitted, remaining }) => [isAdmitted, remaining])).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    expect(next).toEqual({
      requests: 9,
      lastUsedAt: '1970-01-01T00:01:41.000Z',
      recent: [
        [at(100), 8],
        [at(101), 2],
      ],
    });
  });

  it('changes no usage when none is admitted', () => {
    const { decisions, usage: next } = decide(usage([100, 10]), [10], at(130));
    expect(next).toBeUndefined();
    expect(decisions).toEqual([{ isAdmitted: false, limit: 10, remaining: 0, resetSeconds: 30 }]);
  });

  it('applies the limit of each request, which may have changed between them', () => {
    const { decisions } = decide(usage([100, 5]), [5, 7, 6, 7], at(100));
    expect(decisions.map(({ isAdmitted }) => isAdmitted)).toEqual([false, true, false, true]);
  });

  it('begins with an empty window', () => {
    expect(decide(undefined, [2], at(5)).usage).toEqual({
      requests: 1,
      lastUsedAt: '1970-01-01T00:00:05.000Z',
      recent: [[at(5), 1]],
    });
  });

  it('does not go back in time for a gateway whose clock is behind', () => {
    const { usage: next } = decide(usage([100, 1]), [10], at(50));
    expect(next).toMatchObject({ lastUsedAt: '1970-01-01T00:01:40.000Z', recent: [[at(100), 2]] });
  });

  it('admits at most the limit within any 60 s, however the requests arrive', () => {
    const limit = 20;
    const admitted: number[] = [];
    let now = 0;
    let state = 7;
    let record = usage();
    for (let step = 0; step < 5_000; step += 1) {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      now += state % 3_000;
      const { decisions, usage: next } = decide(record, [limit, limit], now);
      for (const { isAdmitted } of decisions) if (isAdmitted) admitted.push(now);
      record = next ? { ...next, recent: [...next.recent] } : record;
    }
    for (let index = limit; index < admitted.length; index += 1) {
      expect((admitted[index] ?? 0) - (admitted[index - limit] ?? 0)).toBeGreaterThanOrEqual(60_000);
    }
    // And not much fewer: the window is at most a quarter of a second longer.
    expect(admitted.length).toBeGreaterThan((now / 60_250) * limit * 0.95);
    expect(record.recent.length).toBeLessThanOrEqual(241);
  });
});
