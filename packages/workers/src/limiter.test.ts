import { expect, test } from 'vitest';
import { createLimiter } from './limiter.ts';

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

test('no more than so many run at once, and the others follow in order', async () => {
  const limiter = createLimiter(2);
  const gates = Array.from({ length: 5 }, gate);
  const begun: number[] = [];
  const all = gates.map(({ opened }, index) =>
    limiter.run(async () => {
      begun.push(index);
      await opened;
      return index;
    }),
  );
  await expect.poll(() => begun).toEqual([0, 1]);
  gates[1]?.open();
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  for (const { open } of gates) open();
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test('a place is free again after a failure', async () => {
  const limiter = createLimiter(1);
  await expect(limiter.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await limiter.run(async () => 1)).toBe(1);
});

test('a caller that gives up waiting takes no place', async () => {
  const limiter = createLimiter(1);
  const { opened, open } = gate();
  const first = limiter.run(() => opened);
  const abort = new AbortController();
  const second = limiter.run(async () => 'ran', abort.signal);
  abort.abort(new Error('enough'));
  await expect(second).rejects.toThrow('enough');
  const third = limiter.run(async () => 3);
  open();
  await first;
  expect(await third).toBe(3);
});

test('what is aborted before is never begun', async () => {
  const running = createLimiter(1).run(async () => expect.unreachable(), AbortSignal.abort(new Error('enough')));
  await expect(running).rejects.toThrow('enough');
});

test('a task that comes just when another ends does not start before those that wait', async () => {
  const limiter = createLimiter(1);
  let running = 0;
  const task = async () => {
    running += 1;
    expect(running).toBe(1);
    await Promise.resolve();
    running -= 1;
  };
  const late: Promise<void>[] = [];
  const early = Array.from({ length: 5 }, () =>
    limiter.run(async () => {
      await task();
      queueMicrotask(() => late.push(limiter.run(task)));
    }),
  );
  await Promise.all(early);
  await expect.poll(() => late.length).toBe(5);
  await Promise.all(late);
});
