import { describe, expect, it } from 'vitest';
import { GatewayClock } from './gateway-clock.ts';

function clockThatIs(aheadMs: number) {
  const state = { aheadMs, asked: 0 };
  const clock = new GatewayClock({
    clock: () => 1_000_000 + state.aheadMs,
    serverTime: async () => {
      state.asked += 1;
      return 1_000_000;
    },
  });
  return { clock, state };
}

describe('the clock of a gateway', () => {
  it.each([
    [-3_600_000, -3_600_000],
    [0, 0],
    [4_000, 4_000],
    [61_000, 0],
    [86_400_000, 0],
  ])('counts without what it is ahead, unless clocks usually differ so much: %i ms', async (aheadMs, counted) => {
    const { clock } = clockThatIs(aheadMs);
    await clock.compare();
    expect(clock.now() - 1_000_000).toBe(counted);
  });

  it('is compared once for all who ask, and again when it has jumped', async () => {
    const { clock, state } = clockThatIs(0);
    await Promise.all(Array.from({ length: 10 }, () => clock.compare()));
    await clock.compare();
    expect(state.asked).toBe(1);
    state.aheadMs = 61_000;
    await clock.compare();
    expect([state.asked, clock.now()]).toEqual([2, 1_000_000]);
  });
});
