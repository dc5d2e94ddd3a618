import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

const { signal } = new AbortController();

it('does works with one key in order, one at a time, and others beside them', async () => {
  const turns = new Turns();
  const done: string[] = [];
  let [atOnce, most] = [0, 0];
  const work = (name: string) => async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await pause(5);
    atOnce -= 1;
    done.push(name);
  };
  await Promise.all(['1', '2', '3'].map((name) => turns.take('a', work(name), signal)));
  expect([done, most]).toEqual([['1', '2', '3'], 1]);
  await Promise.all(['4', '5'].map((name) => turns.take(name, work(name), signal)));
  expect(most).toBe(2);
  expect(turns.size).toBe(0);
});

it('goes on after a work that fails, and with those behind one that is not waited for any more', async () => {
  const turns = new Turns();
  const first = Promise.withResolvers<void>();
  const failing = turns.take('a', () => first.promise, signal);
  const leaving = new AbortController();
  const left = turns.take('a', async () => 'left', leaving.signal);
  const behind = turns.take('a', async () => 'behind', signal);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  const last = new AbortController();
  const leftLast = turns.take('a', async () => 'left', last.signal);
  last.abort(new Error('gone too'));
  await expect(leftLast).rejects.toThrow('gone too');
  const newest = turns.take('a', async () => 'newest', signal);
  expect(await Promise.race([behind, newest, pause(10, 'waits')])).toBe('waits');
  first.reject(new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  expect([await behind, await newest]).toEqual(['behind', 'newest']);
  await expect(turns.take('a', async () => 'never', leaving.signal)).rejects.toThrow('gone');
  expect(turns.size).toBe(0);
});
