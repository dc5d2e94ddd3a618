import { expect, it } from 'vitest';
import { createPositionReader } from './positions.ts';

/** A log whose end is counted as often as it is asked for. */
function logAt(head: number) {
  const log = { head, asked: [] as string[] };
  const reader = createPositionReader(async (stream) => {
    log.asked.push(stream);
    return log.head;
  });
  return Object.assign(log, reader);
}

it('asks for the end of the log only for a position that it has not seen yet', async () => {
  const log = logAt(42);
  for (const sequence of [40, 42, 1, 42]) expect(await log.read(`MEMORY:${sequence}`, 'MEMORY')).toBe(sequence);
  expect(log.asked).toEqual(['MEMORY']);
  log.head = 50;
  expect(await log.read('MEMORY:43', 'MEMORY')).toBe(43);
  expect(await log.read('MEMORY:50', 'MEMORY')).toBe(50);
  expect(log.asked).toHaveLength(2);
});

it('asks once for all that come with a position beyond it at the same time', async () => {
  const log = logAt(5);
  const reads = Array.from({ length: 100 }, () => log.read('MEMORY:6', 'MEMORY'));
  for (const read of await Promise.allSettled(reads)) {
    expect(read).toMatchObject({ status: 'rejected', reason: { status: 400, code: 'BAD_REQUEST' } });
  }
  expect(log.asked.length).toBeLessThanOrEqual(2);
});

it('knows the streams apart, and asks for none without a position in the one that is read', async () => {
  const log = logAt(5);
  expect(await log.read(undefined, 'MEMORY')).toBeUndefined();
  expect(await log.read('ACCESS:99', 'MEMORY')).toBeUndefined();
  expect(log.asked).toEqual([]);
  await log.read('MEMORY:5', 'MEMORY');
  await log.read('ACCESS:5', 'ACCESS');
  expect(log.asked).toEqual(['MEMORY', 'ACCESS']);
});
