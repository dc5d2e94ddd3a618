import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createPositionReader } from './positions.ts';

/** A log that records the requests for its head. */
function logAt(head: number) {
  const log = { head, asked: [] as string[] };
  const reader = createPositionReader(async (stream) => {
    log.asked.push(stream);
    return log.head;
  });
  return Object.assign(log, reader);
}

it('requests the head of the log only for a position beyond the last known head', async () => {
  const log = logAt(42);
  for (const sequence of [40, 42, 1, 42]) expect(await log.read(`MEMORY:${sequence}`, 'MEMORY')).toBe(sequence);
  expect(log.asked).toEqual(['MEMORY']);
  log.head = 50;
  expect(await log.read('MEMORY:43', 'MEMORY')).toBe(43);
  expect(await log.read('MEMORY:50', 'MEMORY')).toBe(50);
  expect(log.asked).toHaveLength(2);
});

it('knows which sequences a stream has reached, also those that another gateway has appended', async () => {
  const log = logAt(42);
  expect(await log.hasReached('WEBHOOKS', 42)).toBe(true);
  expect(await log.hasReached('WEBHOOKS', 43)).toBe(false);
  log.head = 43;
  expect(await log.hasReached('WEBHOOKS', 43)).toBe(true);
  expect(await log.hasReached('WEBHOOKS', 0)).toBe(true);
  expect(log.asked).toHaveLength(3);
});

it('requests it once for all requests that arrive at the same time', async () => {
  const log = logAt(5);
  const reads = Array.from({ length: 100 }, () => log.read('MEMORY:6', 'MEMORY'));
  for (const read of await Promise.allSettled(reads)) {
    expect(read).toMatchObject({ status: 'rejected', reason: { status: 400, code: 'BAD_REQUEST' } });
  }
  expect(log.asked.length).toBeLessThanOrEqual(2);
});

it('knows a head for seconds only, since a log that was restored from a backup ends earlier', async () => {
  const log = logAt(42);
  await log.read('MEMORY:42', 'MEMORY');
  log.head = 30;
  const now = performance.now();
  await pause(5);
  using _ = vi.spyOn(performance, 'now').mockReturnValue(now + 5_001);
  await expect(log.read('MEMORY:42', 'MEMORY')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await log.read('MEMORY:30', 'MEMORY')).toBe(30);
});

it('keeps streams apart, and requests no head without a position in the stream that is read', async () => {
  const log = logAt(5);
  expect(await log.read(undefined, 'MEMORY')).toBeUndefined();
  expect(await log.read('ACCESS:99', 'MEMORY')).toBeUndefined();
  expect(log.asked).toEqual([]);
  await log.read('MEMORY:5', 'MEMORY');
  await log.read('ACCESS:5', 'ACCESS');
  expect(log.asked).toEqual(['MEMORY', 'ACCESS']);
});
