import type { StoredMessage } from '@mneme/event-store';
import type { NatsConnection } from '@nats-io/nats-core';
import { expect, it } from 'vitest';
import { Lane } from './lane.ts';
import { LaneAccess } from './lane-access.ts';
import { LanePositions } from './lane-positions.ts';

/** One lane that this instance holds, and whose events are applied as soon as it is told that they are waited for. */
function heldLane() {
  const lane = new Lane(0);
  lane.open(0, 1);
  const calls = { awaited: 0 };
  const access = new LaneAccess({
    connection: undefined as unknown as NatsConnection,
    key: 'sums@1',
    positions: new LanePositions({ lanes: [lane], laneOf: () => 0, router: { position: 0 } }),
    retryHere: async () => ({ done: true, reason: null }),
    onAwaited: () => {
      calls.awaited += 1;
      lane.tracker.moveTo(1);
    },
    giveAway: () => undefined,
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
