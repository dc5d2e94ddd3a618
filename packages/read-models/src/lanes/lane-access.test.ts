import type { StoredMessage } from '@mneme/event-store';
import type { NatsConnection } from '@nats-io/nats-core';
import { expect, it } from 'vitest';
import { type Deferral, Lane } from './lane.ts';
import { LaneAccess } from './lane-access.ts';
import { LanePositions } from './lane-positions.ts';
import type { LaneAnswer } from './lane-requests.ts';

/** One lane that this instance holds, and whose events are applied as soon as it is told that they are waited for. */
function heldLane(answer: LaneAnswer = { done: true, reason: null }) {
  const lane = new Lane(0);
  lane.open(0, 1);
  const calls = { awaited: 0 };
  const access = new LaneAccess({
    connection: undefined as unknown as NatsConnection,
    key: 'sums@1',
    positions: new LanePositions({ lanes: [lane], laneOf: () => 0, router: { position: 0 } }),
    retryHere: async () => answer,
    onAwaited: () => {
      calls.awaited += 1;
      lane.tracker.moveTo(1);
    },
    giveAway: () => false,
    deferralsIn: ({ deferrals }) => [...deferrals.values()],
    onDeferred: () => undefined,
    signal: new AbortController().signal,
  });
  return { lane, access, calls };
}

it('tells of a request at once if events of the lane are held back', async () => {
  const { lane, access, calls } = heldLane();
  const message = { stream: 'T', subject: 'T.a', sequence: 1, headers: undefined, data: new Uint8Array() };
  lane.push({ message: message as StoredMessage, aggregate: 'a', type: 'Counted' });
  expect(await access.await(1, 500, 'a')).toBe(true);
  expect(calls.awaited).toBe(1);
  expect(await access.await(1, 500, 'a')).toBe(true);
  expect(calls.awaited).toBe(1);
});

it('tells of none if there is nothing to apply', async () => {
  const { access, calls } = heldLane();
  expect(await access.await(1, 5, 'a')).toBe(false);
  expect(calls.awaited).toBe(0);
});

it('tells another instance what waits in the lane: of an aggregate, or the newest of all', async () => {
  const { lane, access } = heldLane();
  lane.tracker.moveTo(100);
  for (let from = 1; from <= 20; from += 1) {
    const deferral: Deferral = {
      aggregate: `a${from}`,
      lane: 0,
      from,
      type: null,
      kind: 'unreadable',
      reason: 'stray',
    };
    lane.deferrals.set(deferral.aggregate, deferral);
  }
  const told = async (aggregate: string | null, sequence: number) => {
    const { deferrals } = await access.answer(lane, { type: 'await', sequence, aggregate, waitMs: 5 });
    return deferrals?.map(({ from }) => from);
  };
  expect(await told('a3', 15)).toEqual([3]);
  expect(await told('a16', 15)).toEqual([]);
  expect(await told(null, 15)).toEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6]);
});

it('tells a retry that failed from one that did not end in time, which goes on', async () => {
  const retried = (answer: LaneAnswer) => heldLane(answer).access.retry('a');
  await retried({ done: true, reason: null });
  await expect(retried({ done: false, reason: 'No wind' })).rejects.toThrow('No wind');
  await expect(retried({ done: false, reason: null })).rejects.toMatchObject({ status: 504, code: 'TIMEOUT' });
});

it('leaves no lane to another instance that could do nothing more for it', async () => {
  const { lane, access } = heldLane();
  expect(await access.answer(lane, { type: 'yield' })).toMatchObject({ done: false });
});
