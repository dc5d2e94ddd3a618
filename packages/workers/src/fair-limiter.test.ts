import { describe, expect, it } from 'vitest';
import { createFairLimiter } from './fair-limiter.ts';

/** A limiter, and tasks, written as `<tenant>/<member>`, that run until they are ended. */
function limiterOf(atOnce: number, maxWaiting = 100, maxHoldMs = 60_000) {
  const limiter = createFairLimiter({ atOnce, maxWaiting, maxHoldMs, refusal: () => new Error('Too many wait') });
  const running: { readonly name: string; end(): void }[] = [];
  const begun: string[] = [];
  const run = (name: string, signal?: AbortSignal) => {
    const [tenant = '', member = ''] = name.split('/');
    const task = async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.push({ name, end: resolve });
      begun.push(name);
      await promise;
      return name;
    };
    return limiter.run([tenant, member], task, signal);
  };
  const endFirst = async () => {
    running.shift()?.end();
    await settled();
  };
  return { limiter, run, begun, endFirst };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a fair limiter', () => {
  it('runs so many tasks at once, and returns what they return', async () => {
    const { run, begun, endFirst } = limiterOf(2);
    const all = Promise.all([run('a/x'), run('a/x'), run('a/x')]);
    await settled();
    expect(begun).toHaveLength(2);
    await endFirst();
    expect(begun).toHaveLength(3);
    await endFirst();
    await endFirst();
    expect(await all).toEqual(['a/x', 'a/x', 'a/x']);
  });

  it('goes on after a task that fails', async () => {
    const { limiter, run, begun } = limiterOf(1);
    const failing = limiter.run(['a', 'x'], () => Promise.reject(new Error('No')));
    void run('a/x');
    await expect(failing).rejects.toThrow('No');
    await settled();
    expect(begun).toEqual(['a/x']);
  });

  it('gives slots round-robin to owners', async () => {
    const { run, begun, endFirst } = limiterOf(1);
    for (const name of ['a/x', 'a/x', 'a/x', 'a/y', 'b/z']) void run(name);
    await settled();
    for (let ended = 0; ended < 4; ended += 1) await endFirst();
    // The second tenant has nothing in work, and begins at once.
    expect(begun).toEqual(['a/x', 'b/z', 'a/x', 'a/y', 'a/x']);
  });

  it('begins the task of a tenant with nothing in work, also when all others are busy for long', async () => {
    const { run, begun } = limiterOf(2);
    for (const name of ['a/x', 'a/x', 'a/x', 'b/y', 'b/y']) void run(name);
    await settled();
    expect(begun).toEqual(['a/x', 'a/x', 'b/y']);
  });

  it('lets others go on while a task waits for something else, and gives it another slot afterwards', async () => {
    const { limiter, run, begun, endFirst } = limiterOf(1);
    const answer = Promise.withResolvers<string>();
    const leaving = limiter.run(['a', 'x'], async (slot) => {
      const waited = await slot.leave(() => answer.promise);
      begun.push('back');
      return waited;
    });
    void run('a/y');
    await settled();
    expect(begun).toEqual(['a/y']);
    answer.resolve('an answer');
    await settled();
    expect(begun).toEqual(['a/y']);
    await endFirst();
    expect(begun).toEqual(['a/y', 'back']);
    expect(await leaving).toBe('an answer');
  });

  it('has the slot of a task again that fails while it waits for something else', async () => {
    const { limiter, run, begun } = limiterOf(1);
    const failing = limiter.run(['a', 'x'], (slot) => slot.leave(() => Promise.reject(new Error('No'))));
    await expect(failing).rejects.toThrow('No');
    for (const name of ['a/x', 'a/y']) void run(name);
    await settled();
    expect(begun).toEqual(['a/x']);
  });

  it('may wait for several things at once, and keeps no slot when it ends meanwhile', async () => {
    const { limiter, run, begun, endFirst } = limiterOf(1);
    const [one, other] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const both = limiter.run(['a', 'x'], (slot) => {
      return Promise.all([slot.leave(() => one.promise), slot.leave(() => other.promise)]);
    });
    const failing = limiter.run(['a', 'x'], (slot) => {
      void slot.leave(() => other.promise);
      return Promise.reject(new Error('No'));
    });
    await expect(failing).rejects.toThrow('No');
    one.resolve('one');
    await settled();
    other.resolve('other');
    expect(await both).toEqual(['one', 'other']);
    for (const name of ['a/y', 'a/y']) void run(name);
    await settled();
    expect(begun).toEqual(['a/y']);
    await endFirst();
    expect(begun).toEqual(['a/y', 'a/y']);
  });

  it('gives the slot of a task that takes long to another one', async () => {
    const { run, begun, endFirst } = limiterOf(1, 100, 20);
    const both = Promise.all([run('a/x'), run('a/x')]);
    await settled();
    expect(begun).toHaveLength(1);
    await expect.poll(() => begun.length).toBe(2);
    await endFirst();
    await endFirst();
    expect(await both).toEqual(['a/x', 'a/x']);
  });

  it('turns away the last task of the tenant with most waiting when too many wait', async () => {
    const { run, begun, endFirst } = limiterOf(1, 3);
    const loud = ['a/x', 'a/x', 'a/x', 'a/x'].map((name) => run(name).then(String, String));
    void run('b/y');
    void run('b/y');
    expect(await loud[3]).toBe('Error: Too many wait');
    for (let ended = 0; ended < 5; ended += 1) await endFirst();
    expect(begun.filter((name) => name === 'b/y')).toHaveLength(2);
    expect(await loud[2]).toBe('a/x');
  });

  it('does not begin a task that is aborted while it waits', async () => {
    const { run, begun, endFirst } = limiterOf(1);
    const gone = new AbortController();
    void run('a/x');
    const waiting = run('a/gone', gone.signal);
    void run('a/y');
    gone.abort(new Error('Gone'));
    await expect(waiting).rejects.toThrow('Gone');
    await endFirst();
    expect(begun).toEqual(['a/x', 'a/y']);
    await expect(run('a/z', gone.signal)).rejects.toThrow('Gone');
  });
});
