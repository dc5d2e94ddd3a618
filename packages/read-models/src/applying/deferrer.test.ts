import { messageAt, openLog } from '@mneme/event-store';
import type { ClientSession } from 'mongodb';
import { expect, it } from 'vitest';
import { laneMoves, mongoLaneCheckpoints } from '../lanes/checkpoints.ts';
import { type Deferrals, mongoDeferrals } from '../lanes/deferrals.ts';
import { Lane, type QueuedMessage } from '../lanes/lane.ts';
import { SessionPool } from '../mongo/sessions.ts';
import { logger, useTestSystem } from '../testing/test-read-model.ts';
import { Deferrer } from './deferrer.ts';
import { LaneGuard, LaneLostError } from './lane-guard.ts';
import { deferralOf } from './message-reader.ts';

const system = useTestSystem();

const key = 'sums@1';

/** An instance that defers an aggregate of its only lane. */
async function deferring() {
  const { client, db, connection, stream } = system.parts;
  const sequence = await system.count('a', 13);
  const message = await messageAt(openLog(connection, stream), sequence);
  if (!message) throw new Error('There is no message');
  const checkpoints = mongoLaneCheckpoints(db, key, 1);
  const deferrals = mongoDeferrals(db, key);
  await checkpoints.create();
  await checkpoints.fence([{ lane: 0, epoch: 1 }]);
  const lane = new Lane(0);
  lane.open(0, 1);
  const sessions = new SessionPool({ client, db, key, instance: 'test' });
  const { signal } = new AbortController();
  const lost: Lane[] = [];
  const guard = new LaneGuard({
    name: 'sums',
    isHeld: () => true,
    isStopped: () => false,
    onLost: (each) => lost.push(each),
    signal,
    logger,
  });
  const queued = { message, aggregate: 'a', type: 'Counted' };
  const deferral = deferralOf(lane, queued, 'failed', 'told to fail');
  const defer = (deadLetter: () => Promise<void>) =>
    new Deferrer({
      name: 'sums',
      checkpoints: laneMoves(checkpoints, sessions, () => 'now'),
      deferrals,
      guard,
      deadLetter,
      logger,
    }).defer({ lane, opening: lane.opening, messages: [queued], isHeavy: false }, queued, deferral);
  return { checkpoints, deferrals, lane, lost, deferral, sequence, defer };
}

it('an aggregate is deferred, and its lane moves past the event', async () => {
  const { checkpoints, deferrals, lane, deferral, sequence, defer } = await deferring();
  await defer(async () => undefined);
  expect(await deferrals.list()).toEqual([deferral]);
  expect(await checkpoints.read()).toMatchObject([{ position: sequence }]);
  expect([lane.checkpoint, lane.tracker.position(), lane.deferrals.get('a')]).toEqual([sequence, sequence, deferral]);
});

it('an instance whose lane was taken over while it wrote the dead letter defers nothing', async () => {
  const { checkpoints, deferrals, lane, lost, defer } = await deferring();
  const takenOver = async () => void (await checkpoints.fence([{ lane: 0, epoch: 2 }]));
  await expect(defer(takenOver)).rejects.toThrow(LaneLostError);
  expect(await deferrals.list()).toEqual([]);
  expect(lost).toEqual([lane]);
});

it('after three in a row, one event is deferred in each period, until there is a success', async () => {
  const { lane, deferral } = await deferring();
  const message = { sequence: 1 } as QueuedMessage['message'];
  const queued = { message, aggregate: 'a', type: 'Counted' };
  const deferrer = new Deferrer({
    name: 'sums',
    checkpoints: { move: async () => undefined, moveWith: (_moves, write) => write({} as ClientSession) },
    deferrals: { put: async () => undefined } as unknown as Deferrals,
    guard: { assertOwned: () => undefined, assertHeld: () => undefined } as unknown as LaneGuard,
    deadLetter: async () => undefined,
    logger,
    deferAgainMs: 100,
  });
  const defer = () =>
    deferrer.defer({ lane, opening: lane.opening, messages: [queued], isHeavy: false }, queued, deferral);
  for (let count = 1; count <= 3; count += 1) {
    expect(deferrer.isAllowed).toBe(true);
    await defer();
  }
  expect(deferrer.isAllowed).toBe(false);
  await expect.poll(() => deferrer.isAllowed).toBe(true);
  await defer();
  expect(deferrer.isAllowed).toBe(false);
  deferrer.noteSuccess();
  expect(deferrer.isAllowed).toBe(true);
});
