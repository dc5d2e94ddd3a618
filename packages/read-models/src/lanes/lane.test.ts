import { setImmediate as turn } from 'node:timers/promises';
import type { StoredMessage } from '@mneme/event-store';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Lane, type QueuedMessage } from './lane.ts';
import { LaneBudget } from './lane-budget.ts';

const kib = 1024;

/** A message with so many bytes of data, in a larger buffer in which it was received. */
function received(sequence: number, bytes: number, bufferBytes = bytes): QueuedMessage {
  const data = new Uint8Array(new ArrayBuffer(bufferBytes), 0, bytes);
  const message = { stream: 'T', subject: 'T.a', sequence, headers: undefined, data };
  return { message: message as unknown as StoredMessage, aggregate: 'a', type: 'Counted' };
}

it('tells those who wait for room that applying has failed, since nothing may be taken for long', async () => {
  const lane = new Lane(0);
  lane.open(0, 1);
  let isTold = false;
  void lane.untilTaken().then(() => {
    isTold = true;
  });
  await turn();
  expect(isTold).toBe(false);
  lane.noteFailure('told to fail');
  await turn();
  expect(isTold).toBe(true);
});

it('is full when the lanes of its version hold much, unless it holds little itself, until that is applied', () => {
  const budget = new LaneBudget(4, 1024 * kib);
  const [large, other, small] = [new Lane(0, budget), new Lane(1, budget), new Lane(2, budget)];
  for (const lane of [large, other, small]) lane.open(0, 1);
  large.push(received(1, 640 * kib));
  other.push(received(2, 130 * kib));
  small.push(received(3, 100 * kib));
  const areFull = () => [large, other, small].map(({ isFull }) => isFull);
  expect(areFull()).toEqual([true, true, false]);
  const release = large.occupy();
  large.take(1, 1);
  expect(areFull()).toEqual([true, true, false]);
  release();
  expect(areFull()).toEqual([false, false, false]);
  other.push(received(4, 900 * kib));
  expect(areFull()).toEqual([false, true, false]);
  other.close();
  expect(budget.roomFor(128 * kib)).toBe(512 * kib);
});

it('keeps a message without what was received with it', () => {
  const lane = new Lane(0);
  lane.push(received(1, 200, 64 * kib));
  expect(lane.queue[0]?.message.data).toEqual(new Uint8Array(200));
  expect(lane.queue[0]?.message.data.buffer.byteLength).toBe(200);
});

it('a step of the clock does not cut the wait for a lane', async () => {
  const lane = new Lane(0);
  lane.open(0, 1);
  const release = lane.occupy();
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const occupied = lane.occupyWhenFree(5_000);
  vi.setSystemTime(Date.now() + 3_600_000);
  setTimeout(release, 50);
  expect(await occupied).toBeDefined();
});

it('says that its batch hangs, until part of it is written', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const lane = new Lane(0);
  lane.open(0, 1);
  for (const sequence of [1, 2]) lane.push(received(sequence, kib));
  vi.advanceTimersByTime(60_000);
  const release = lane.occupy();
  lane.take(2, 2 * kib);
  vi.advanceTimersByTime(29_000);
  expect(lane.reason).toBeUndefined();
  vi.advanceTimersByTime(2_000);
  expect(lane.reason).toBe('No part of its batch was written for 30 s');
  lane.checkpoint = 1;
  expect(lane.reason).toBeUndefined();
  vi.advanceTimersByTime(31_000);
  release();
  expect(lane.reason).toBeUndefined();
});
