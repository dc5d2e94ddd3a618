import { EventLogUnavailableError, openLog } from '@mneme/event-store';
import { changing, losingOnce } from '@mneme/event-store/testing/slow-connections';
import type { NatsConnection } from '@nats-io/nats-core';
import { expect, it } from 'vitest';
import { useTestSystem } from '../testing/test-read-model.ts';
import { Lane } from './lane.ts';
import { LaneReader } from './lane-reader.ts';

const system = useTestSystem();

/** A reader of lanes that have subjects of their own, such as `T1.0`. @param position of the router */
function readerOf(connection: NatsConnection, position: number, count = 1): LaneReader {
  const { stream } = system.parts;
  const subjectOf = (lane: number) => `${stream}.${lane}`;
  const aggregateOf = ({ subject }: { subject: string }) => subject.split('.')[1];
  const scheme = { count, aggregateOf, laneOf: Number, subjectOf };
  return new LaneReader({ log: openLog(connection, stream), scheme, subjects: '>', router: { position } });
}

function readingLane(index: number): Lane {
  const lane = new Lane(index);
  lane.open(0, 1);
  lane.isReading = true;
  return lane;
}

/** A connection that counts the reads which it waits for. */
function countingReads(connection: NatsConnection) {
  const reads = { open: 0, most: 0, all: 0 };
  const counting = changing(connection, {
    subscribe: (subject, options) => {
      const subscription = connection.subscribe(subject, options);
      reads.all += 1;
      reads.open += 1;
      reads.most = Math.max(reads.most, reads.open);
      void subscription.closed.then(() => {
        reads.open -= 1;
      });
      return subscription;
    },
  });
  return { reads, counting };
}

it('shows in the lane that it cannot be read for, until it can', async () => {
  const { connection, stream } = system.parts;
  const sequence = await system.count('a', 1);
  let isBroken = true;
  const aggregateOf = async () => {
    if (isBroken) throw new TypeError('told to fail');
    return 'a';
  };
  const scheme = { count: 1, aggregateOf, laneOf: () => 0 };
  const log = openLog(connection, stream);
  const reader = new LaneReader({ log, scheme, subjects: '>', router: { position: sequence } });
  const lane = readingLane(0);
  for (const inARow of [1, 2]) {
    await expect(reader.fill(lane)).rejects.toThrow('told to fail');
    expect(lane.failure).toMatchObject({ inARow, reason: 'It cannot be read for: told to fail' });
  }
  isBroken = false;
  expect(await reader.fill(lane)).toBe(true);
  expect([lane.failure, lane.queue.length]).toEqual([undefined, 1]);
});

it('queues nothing of a page with a message that was lost on its way, and all of it the next time', async () => {
  const { connection } = system.parts;
  for (const n of [1, 2, 3, 4, 5]) await system.count('0', n);
  const reader = readerOf(losingOnce(connection, 3), 5);
  const lane = readingLane(0);
  await expect(reader.fill(lane)).rejects.toThrow(EventLogUnavailableError);
  expect(lane).toMatchObject({ readUpTo: 0, queue: [], failure: { inARow: 1 } });
  expect(await reader.fill(lane)).toBe(true);
  expect(lane.queue.map(({ message }) => message.sequence)).toEqual([1, 2, 3, 4, 5]);
});

it('reads for four lanes at once, however many are behind', async () => {
  const lanes = Array.from({ length: 64 }, (_, index) => readingLane(index));
  for (const { index } of lanes) await system.count(`${index}`, 1);
  const { reads, counting } = countingReads(system.parts.connection);
  const reader = readerOf(counting, lanes.length, lanes.length);
  expect(await Promise.all(lanes.map((lane) => reader.fill(lane)))).toEqual(lanes.map(() => true));
  expect(reads).toMatchObject({ most: 4, all: 64 });
  expect(lanes.map(({ queue }) => queue.length)).toEqual(lanes.map(() => 1));
});

it('goes on behind a file that cannot be read', async () => {
  const { first, last } = await system.damage('0');
  const reader = readerOf(system.parts.connection, last);
  const lane = readingLane(0);
  expect(await reader.fill(lane)).toBe(true);
  expect(lane).toMatchObject({ readUpTo: first - 1, isReading: true });
  expect(await reader.fill(lane)).toBe(true);
  expect(lane.queue[0]?.message.sequence).toBe(first);
});
