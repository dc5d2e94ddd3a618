import { describe, expect, it, vi } from 'vitest';
import { once, oneAtATime } from './once.ts';

describe('once', () => {
  it('does the work once, when it is first asked for, and gives everybody its outcome', async () => {
    const work = vi.fn(async () => ({}));
    const get = once(work);
    expect(work).not.toHaveBeenCalled();
    const [one, other] = await Promise.all([get(), get()]);
    expect(other).toBe(one);
    expect(await get()).toBe(one);
    expect(work).toHaveBeenCalledOnce();
  });

  it('fails again with the same error', async () => {
    const get = once(async () => Promise.reject(new Error('not now')));
    const [one, other] = await Promise.all([get().catch((error) => error), get().catch((error) => error)]);
    expect(one.message).toBe('not now');
    expect(other).toBe(one);
  });
});

describe('one at a time', () => {
  /** Work that is numbered by its runs, and ends when it is told to. */
  function startWork() {
    const runs: PromiseWithResolvers<number>[] = [];
    const run = oneAtATime(() => {
      const started = Promise.withResolvers<number>();
      runs.push(started);
      return started.promise;
    });
    return { run, runs };
  }

  it('those who ask while the work is under way get the result of the same run', async () => {
    const { run, runs } = startWork();
    const both = [run(), run()];
    expect(runs).toHaveLength(1);
    runs[0]?.resolve(1);
    expect(await Promise.all(both)).toEqual([1, 1]);
  });

  it('who asks after a run has ended gets a new one', async () => {
    const { run, runs } = startWork();
    const first = run();
    runs[0]?.resolve(1);
    await first;
    const second = run();
    runs[1]?.resolve(2);
    expect(await second).toBe(2);
  });

  it('a failure reaches all who wait for it, and the next one who asks starts anew', async () => {
    const { run, runs } = startWork();
    const both = Promise.allSettled([run(), run()]);
    runs[0]?.reject(new Error('no'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = run();
    runs[1]?.resolve(2);
    expect(await next).toBe(2);
  });
});
