import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { KeyedMutex } from './keyed-mutex.ts';

const { signal } = new AbortController();
const usual = { signal };

it('runs tasks with one key in order, one at a time, and others beside them', async () => {
  const mutex = new KeyedMutex();
  const done: string[] = [];
  let [atOnce, most] = [0, 0];
  const work = (name: string) => async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await pause(5);
    atOnce -= 1;
    done.push(name);
  };
  await Promise.all(['1', '2', '3'].map((name) => mutex.run('a', work(name), usual)));
  expect([done, most]).toEqual([['1', '2', '3'], 1]);
  await Promise.all(['4', '5'].map((name) => mutex.run(name, work(name), usual)));
  expect(most).toBe(2);
  expect(mutex.size).toBe(0);
});

it('goes on after a task that fails, and with those behind one that has left the queue', async () => {
  const mutex = new KeyedMutex();
  const first = Promise.withResolvers<void>();
  const failing = mutex.run('a', () => first.promise, usual);
  const leaving = new AbortController();
  const left = mutex.run('a', async () => 'left', { signal: leaving.signal });
  const behind = mutex.run('a', async () => 'behind', usual);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  const last = new AbortController();
  const leftLast = mutex.run('a', async () => 'left', { signal: last.signal });
  last.abort(new Error('gone too'));
  await expect(leftLast).rejects.toThrow('gone too');
  const newest = mutex.run('a', async () => 'newest', usual);
  expect(await Promise.race([behind, newest, pause(10, 'waits')])).toBe('waits');
  first.reject(new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  expect([await behind, await newest]).toEqual(['behind', 'newest']);
  await expect(mutex.run('a', async () => 'never', { signal: leaving.signal })).rejects.toThrow('gone');
  expect(mutex.size).toBe(0);
});

it('fails the tasks that wait at once with a shared failure, and runs later ones', async () => {
  const mutex = new KeyedMutex();
  const first = Promise.withResolvers<void>();
  const options = { signal, sharedFailure: (error: unknown) => new Error(`the same: ${(error as Error).message}`) };
  const failing = mutex.run('a', () => first.promise, options);
  const leaving = new AbortController();
  const left = mutex.run('a', async () => 'left', { ...options, signal: leaving.signal });
  const done: string[] = [];
  const behind = ['2', '3'].map((name) => mutex.run('a', async () => done.push(name), options));
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  first.reject(new Error('silent'));
  await expect(failing).rejects.toThrow(/^silent$/);
  for (const each of behind) await expect(each).rejects.toThrow(/^the same: silent$/);
  expect(done).toEqual([]);
  expect(await mutex.run('a', async () => 'afterwards', options)).toBe('afterwards');
  expect(mutex.size).toBe(0);
});
