import { setTimeout as pause } from 'node:timers/promises';
import type { FoundService } from '@mneme/service-kit';
import { describe, expect, it, type TestContext, vi } from 'vitest';
import { serveWhenAble } from './serve-when-able.ts';

/** An instance that is cut off from a store. @param found of others, one answer for each look; the last one again and again */
async function cutOff({ onTestFinished }: TestContext, found: readonly FoundService[]) {
  const state = { isCutOff: true, isComingBack: false, isAnsweredElsewhere: false };
  const [serve, leave, onFailed] = [vi.fn(), vi.fn(async () => undefined), vi.fn()];
  let looks = 0;
  const requests = await serveWhenAble({
    isAble: () => !state.isCutOff,
    isCutOff: () => state.isCutOff,
    isComingBack: () => state.isComingBack,
    lookElsewhere: async () => {
      looks += 1;
      return found[Math.min(looks, found.length) - 1] ?? 'none';
    },
    isAnsweredElsewhere: async () => state.isAnsweredElsewhere,
    serve,
    leave,
    onHeld: () => undefined,
    onFailed,
  });
  onTestFinished(() => requests.stop());
  return { state, serve, leave, requests, looks: () => looks };
}

/** More than one look takes, in milliseconds. */
const lookMs = 1_300;

describe.concurrent('an instance that is cut off', () => {
  it('takes requests at once when no other one is there', async (context) => {
    const { serve } = await cutOff(context, ['answers', 'none']);
    await pause(lookMs);
    expect(serve).toHaveBeenCalledOnce();
  });

  it('does not when another one answers late, as one that is busy does', async (context) => {
    const { serve, looks } = await cutOff(context, [
      'answers',
      'silent',
      'silent',
      'answers',
      'silent',
      'silent',
      'answers',
    ]);
    await vi.waitFor(() => expect(looks()).toBeGreaterThan(6), 10 * lookMs);
    expect(serve).not.toHaveBeenCalled();
  });

  it('does when others stand still', async (context) => {
    const { serve, looks } = await cutOff(context, ['answers', 'silent']);
    await vi.waitFor(() => expect(serve).toHaveBeenCalledOnce(), 5 * lookMs);
    expect(looks()).toBe(4);
  });

  it('leaves requests to another one that answers, unless its store answers again', async (context) => {
    const { state, requests, leave } = await cutOff(context, ['none']);
    expect(requests.isServing()).toBe(true);
    Object.assign(state, { isComingBack: true, isAnsweredElsewhere: true });
    await pause(lookMs);
    expect(leave).not.toHaveBeenCalled();
    state.isComingBack = false;
    await vi.waitFor(() => expect(leave).toHaveBeenCalledOnce(), lookMs);
    expect(requests.isServing()).toBe(false);
  });
});
