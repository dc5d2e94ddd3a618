import { expect, it } from 'vitest';
import { laneMoves, mongoLaneCheckpoints } from '../lanes/checkpoints.ts';
import { Lane } from '../lanes/lane.ts';
import { SessionPool } from '../mongo/sessions.ts';
import { useTestSystem } from '../testing/test-read-model.ts';
import { LaneCommits } from './lane-commits.ts';
import { LaneLostError } from './lane-guard.ts';

const system = useTestSystem();

const key = 'sums@1';
const everything = Number.POSITIVE_INFINITY;

/** An instance that holds two lanes, in which everything up to 7 is applied. */
async function holding() {
  const { client, db } = system.parts;
  const checkpoints = mongoLaneCheckpoints(db, key, 2);
  await checkpoints.create();
  const lanes = [new Lane(0), new Lane(1)] as const;
  await checkpoints.fence(lanes.map(({ index }) => ({ lane: index, epoch: 1 })));
  for (const lane of lanes) lane.open(0, 1);
  const sessions = new SessionPool({ client, db, key, instance: 'test' });
  const lost: Lane[] = [];
  const commits = new LaneCommits({
    lanes,
    checkpoints: laneMoves(checkpoints, sessions, () => 'now'),
    leases: { isHeld: () => true },
    router: { position: 7, lastEvent: null },
    onLost: (lane) => {
      lost.push(lane);
      lane.close();
    },
  });
  const written = db.collection('written');
  await written.insertOne({ by: 'before' });
  const commit = (write: ReturnType<typeof commits.withoutMove>) =>
    write(everything, async (session) => void (await written.insertOne({ by: 'commit' }, { session })));
  const isWritten = async () => (await written.countDocuments({ by: 'commit' })) > 0;
  const takeOver = async (lane: Lane) => void (await checkpoints.fence([{ lane: lane.index, epoch: 2 }]));
  return { lanes, checkpoints, commits, lost, commit, isWritten, takeOver };
}

it('writes under the checkpoint of a lane, which stays where it is', async () => {
  const { lanes, checkpoints, commits, lost, commit, isWritten } = await holding();
  await commit(commits.withoutMove(lanes[0]));
  expect(await isWritten()).toBe(true);
  expect(await checkpoints.read()).toMatchObject([{ position: 0 }, { position: 0 }]);
  expect(lost).toEqual([]);
});

it('writes nothing of what was read before the lane was lost and opened again', async () => {
  const { lanes, commits, lost, commit, isWritten, takeOver } = await holding();
  const [lane] = lanes;
  const write = commits.withoutMove(lane);
  await takeOver(lane);
  lane.close();
  lane.open(0, 2);
  await expect(commit(write)).rejects.toThrow(LaneLostError);
  expect(await isWritten()).toBe(false);
  // The lane as it is now is fine.
  expect(lost).toEqual([]);
  await commit(commits.withoutMove(lane));
  expect(await isWritten()).toBe(true);
});

it('gives a lane up that was taken over, and writes nothing', async () => {
  const { lanes, commits, lost, commit, isWritten, takeOver } = await holding();
  await takeOver(lanes[0]);
  await expect(commit(commits.withoutMove(lanes[0]))).rejects.toThrow(LaneLostError);
  expect(await isWritten()).toBe(false);
  expect(lost).toEqual([lanes[0]]);
});

it('writes down how far idle lanes are', async () => {
  const { lanes, checkpoints, commits, lost } = await holding();
  await commits.moveIdle();
  expect(await checkpoints.read()).toMatchObject([{ position: 7 }, { position: 7 }]);
  expect(lanes.map(({ checkpoint }) => checkpoint)).toEqual([7, 7]);
  expect(lost).toEqual([]);
});

it('gives idle lanes up whose checkpoints cannot be moved, instead of failing each time', async () => {
  const { lanes, checkpoints, commits, lost, takeOver } = await holding();
  await takeOver(lanes[0]);
  await commits.moveIdle();
  // Which of them was taken over is not known; each is opened again where it stands.
  expect(lost).toEqual(lanes);
  const stored = await checkpoints.read();
  expect(stored).toMatchObject([{ position: 0 }, {}]);
  expect(lanes.map(({ isInWork }) => isInWork)).toEqual([false, false]);
  await commits.moveIdle();
  expect(await checkpoints.read()).toEqual(stored);
});
