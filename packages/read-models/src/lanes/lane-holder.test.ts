import { beforeEach, expect, it } from 'vitest';
import { useTestSystem } from '../testing/test-read-model.ts';
import { type LaneCheckpoints, mongoLaneCheckpoints } from './checkpoints.ts';
import { mongoDeferrals } from './deferrals.ts';
import { Lane } from './lane.ts';
import { LaneHolder } from './lane-holder.ts';
import { LanePositions } from './lane-positions.ts';
import { LaneLeases } from './leases.ts';

const key = 'sums@1';
const router = { position: 0 };

const system = useTestSystem();
let holder: LaneHolder;
let lanes: readonly Lane[];
let isNeeded = true;
let isAside = false;
let takenUp = 0;
/** What fails once, and how fencing goes. */
const faults: { part?: 'endOthers' | 'list' | 'fence' | undefined; fence?: LaneCheckpoints['fence'] | undefined } = {};

const failOnce = (part: typeof faults.part) => {
  if (faults.part !== part) return;
  faults.part = undefined;
  throw new Error('told to fail');
};

beforeEach(async () => {
  const { connection, db } = system.parts;
  const checkpoints = mongoLaneCheckpoints(db, key, 2);
  await checkpoints.create();
  const deferrals = mongoDeferrals(db, key);
  lanes = [new Lane(0), new Lane(1)];
  isNeeded = true;
  isAside = false;
  takenUp = 0;
  Object.assign(faults, { part: undefined, fence: undefined });
  holder = new LaneHolder({
    connection,
    key,
    leases: new LaneLeases({ db, key, lanes: 2, instance: 'this', ttlMs: 3_000, isAside: () => isAside }),
    checkpoints: {
      ...checkpoints,
      fence: async (taken) => {
        failOnce('fence');
        return (faults.fence ?? checkpoints.fence)(taken);
      },
    },
    deferrals: {
      ...deferrals,
      list: async () => {
        failOnce('list');
        return deferrals.list();
      },
    },
    sessions: { endOthers: async () => failOnce('endOthers') },
    positions: new LanePositions({ lanes, laneOf: () => 0, router }),
    access: { answer: async () => ({ done: false, reason: null }) },
    unknownTypes: {
      takeUp: () => {
        takenUp += 1;
      },
      isWaiting: () => isNeeded,
    },
    forgetLane: () => undefined,
    router,
  });
});

const open = () => lanes.filter(({ isOwned }) => isOwned).map(({ index }) => index);

it.each(['endOthers', 'list', 'fence'] as const)(
  'opens lanes at the next renewal if %s has failed after they were gained',
  async (part) => {
    faults.part = part;
    await expect(holder.renew()).rejects.toThrow('told to fail');
    expect(open()).toEqual([]);
    await holder.renew();
    expect(open()).toEqual([0, 1]);
  },
);

it('opens a lane once, as long as it holds it', async () => {
  await holder.renew();
  const openings = lanes.map(({ opening }) => opening);
  await holder.renew();
  expect(lanes.map(({ opening }) => opening)).toEqual(openings);
});

it('names lanes that it holds and cannot open, but not at once', async () => {
  const checkpointOf = (lane: number) => ({ lane, position: 0, log: null, lastEvent: null });
  faults.fence = async () => [checkpointOf(0)];
  for (let renewals = 1; renewals <= 2; renewals += 1) await holder.renew();
  expect([open(), holder.closedLanes]).toEqual([[0], []]);
  await holder.renew();
  expect([open(), holder.closedLanes]).toEqual([[0], [1]]);
  faults.fence = undefined;
  await holder.renew();
  expect([open(), holder.closedLanes]).toEqual([[0, 1], []]);
});

it('leaves a lane to another instance only if that can do more for it', async () => {
  await holder.renew();
  const [lane] = lanes as [Lane, Lane];
  isNeeded = false;
  expect([holder.giveAway(lane), open()]).toEqual([false, [0, 1]]);
  isNeeded = true;
  expect([holder.giveAway(lane), open()]).toEqual([true, [1]]);
});

it('closes all lanes while this instance is aside, and asks no other one for its lanes', async () => {
  await holder.renew();
  expect([open(), takenUp]).toEqual([[0, 1], 1]);
  isAside = true;
  for (let renewals = 1; renewals <= 2; renewals += 1) await holder.renew();
  expect([open(), takenUp]).toEqual([[], 1]);
  isAside = false;
  await holder.renew();
  expect([open(), takenUp]).toEqual([[0, 1], 2]);
});
