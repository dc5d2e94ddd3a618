import { afterEach, describe, expect, it, vi } from 'vitest';
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

afterEach(() => void vi.useRealTimers());

describe('the clock of a gateway', () => {
  it.each([
    [-3_600_000, 0],
    [-4_000, -4_000],
    [0, 0],
    [4_000, 4_000],
    [61_000, 0],
    [86_400_000, 0],
  ])(
    'counts without what it is ahead or behind, unless clocks usually differ so much: %i ms',
    async (aheadMs, counted) => {
      const { clock } = clockThatIs(aheadMs);
      await clock.compare();
      expect(clock.now() - 1_000_000).toBe(counted);
    },
  );

  it('is compared once for all who ask, and again when it has jumped', async () => {
    const { clock, state } = clockThatIs(0);
    await Promise.all(Array.from({ length: 10 }, () => clock.compare()));
    await clock.compare();
    expect(state.asked).toBe(1);
    state.aheadMs = 61_000;
    await clock.compare();
    expect([state.asked, clock.now()]).toEqual([2, 1_000_000]);
  });

  it('is used as it was compared last while the server does not answer, unless it has jumped', async () => {
    vi.useFakeTimers();
    let serverTime = async () => Date.now() - 61_000;
    let aheadMs = 0;
    const clock = new GatewayClock({ clock: () => Date.now() + aheadMs, serverTime: () => serverTime() });
    await clock.compare();
    serverTime = () => Promise.reject(new Error('away'));
    vi.advanceTimersByTime(20_000);
    await clock.compare();
    expect(clock.now()).toBe(Date.now() - 61_000);
    await vi.advanceTimersByTimeAsync(1);
    aheadMs = 5_000;
    await expect(clock.compare()).rejects.toThrow('away');
  });

  it('is not taken to be ahead by the time that an answer takes', async () => {
    vi.useFakeTimers();
    const serverTime = async () => {
      const now = Date.now();
      await vi.advanceTimersByTimeAsync(8_000);
      return now;
    };
    const clock = new GatewayClock({ clock: Date.now, serverTime });
    await clock.compare();
    expect(clock.now()).toBe(Date.now());
  });
});
