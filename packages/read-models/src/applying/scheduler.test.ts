import type { StoredMessage } from '@mneme/event-store';
import { expect, it } from 'vitest';
import { Lane } from '../lanes/lane.ts';
import { Scheduler } from './scheduler.ts';

const kib = 1024;
const speed = { maxEvents: 500, maxBytes: 4_096 * kib, batchesAtOnce: 4, heavyBytes: 256 * kib, heavyAtOnce: 1 };

function laneWith(index: number, messages: number, bytes: number): Lane {
  const lane = new Lane(index);
  lane.open(0, 1);
  for (let sequence = 1; sequence <= messages; sequence += 1) {
    refill(lane, sequence, bytes);
  }
  return lane;
}

function refill(lane: Lane, sequence = 1, bytes = kib): void {
  const message = { stream: 'T', subject: 'T.a', sequence, headers: undefined, data: new Uint8Array(bytes) };
  lane.push({ message: message as StoredMessage, aggregate: 'a', type: 'Counted' });
}

it('takes small lanes together, and large ones alone and in parts', () => {
  const scheduler = new Scheduler([laneWith(0, 4, 100 * kib), laneWith(1, 2, kib), laneWith(2, 3, kib)], { speed });
  const sizes = (isForHeavy: boolean) => {
    const taken = scheduler.take(isForHeavy);
    return taken && { isHeavy: taken.isHeavy, counts: taken.lanes.map(({ messages }) => messages.length) };
  };
  expect(sizes(true)).toEqual({ isHeavy: true, counts: [2] });
  expect(sizes(true)).toEqual({ isHeavy: false, counts: [2, 3] });
});

it('takes large lanes in turn, however often a small one is taken in between', () => {
  const small = laneWith(0, 0, kib);
  const scheduler = new Scheduler([small, laneWith(1, 9, 100 * kib), laneWith(2, 9, 100 * kib)], { speed });
  const take = (isForHeavy: boolean) => {
    const batch = scheduler.take(isForHeavy);
    batch?.lanes[0]?.release();
    return batch?.lanes[0]?.lane.index;
  };
  const taken = Array.from({ length: 4 }, () => {
    const large = take(true);
    // While a large one is in work, only small ones are taken.
    refill(small);
    return [large, take(false)];
  });
  expect(take(true)).toBe(1);
  expect(taken).toEqual([
    [1, 0],
    [2, 0],
    [1, 0],
    [2, 0],
  ]);
});

it('neither takes large lanes nor wakes up for them while there is no room for them', () => {
  const scheduler = new Scheduler([laneWith(0, 4, 100 * kib)], { speed });
  expect(scheduler.take(false)).toBeUndefined();
  expect(scheduler.heldBackMs(false)).toBeUndefined();
  expect(scheduler.heldBackMs(true)).toBe(0);
});

it('does not take a lane that is in work, and gives it back once', () => {
  const lane = laneWith(0, 1, kib);
  const release = lane.occupy();
  expect(() => lane.occupy()).toThrow('in work');
  release();
  const next = lane.occupy();
  release();
  expect(lane.isInWork).toBe(true);
  next();
  expect(lane.isInWork).toBe(false);
});

it('holds events of some types back for what follows, until a request waits for their lane', () => {
  const lane = laneWith(0, 2, kib);
  const delay = { types: ['Counted'], forMs: 60_000 };
  const scheduler = new Scheduler([lane], { speed }, delay);
  expect(scheduler.take(true)).toBeUndefined();
  expect(scheduler.heldBackMs(true)).toBeGreaterThan(0);
  void lane.tracker.await(2, 1);
  expect(scheduler.heldBackMs(true)).toBe(0);
  expect(scheduler.take(true)?.lanes[0]?.messages).toHaveLength(2);
});
