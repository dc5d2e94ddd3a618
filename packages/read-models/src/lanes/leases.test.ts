import { expect, it } from 'vitest';
import { useTestSystem } from '../testing/test-read-model.ts';
import { LaneLeases } from './leases.ts';

const system = useTestSystem();
const leasesOf = (instance: string, isAside = () => false) =>
  new LaneLeases({ db: system.parts.db, key: 'sums@1', lanes: 2, instance, ttlMs: 3_000, isAside });

it('keeps claimed lanes above its share only as long as it claims them', async () => {
  const [first, second] = [leasesOf('first'), leasesOf('second')];
  first.claim([0, 1]);
  await first.renew();
  await second.renew();
  const lost = async () => (await first.renew()).lost;
  expect([await lost(), await lost()]).toEqual([[], []]);
  first.claim([1]);
  expect(await lost()).toEqual([0]);
});

it('gains a lane again and again until it is open', async () => {
  const leases = leasesOf('only');
  const opened: number[] = [];
  const gained = async () => (await leases.renew(({ lane }) => opened.includes(lane))).gained.map(({ lane }) => lane);
  expect([await gained(), await gained()]).toEqual([
    [0, 1],
    [0, 1],
  ]);
  opened.push(0);
  expect(await gained()).toEqual([1]);
});

it('takes over what a dead instance got while the clock of the database was hours ahead', async () => {
  const { db } = system.parts;
  const dead = leasesOf('dead');
  expect((await dead.renew()).gained).toHaveLength(2);
  const hoursAhead = [{ $set: { expiresAt: { $add: ['$$NOW', 2 * 3_600_000] } } }];
  for (const name of ['read_model_leases', 'read_model_instances'])
    await db.collection(name).updateMany({}, hoursAhead);
  const living = leasesOf('living');
  expect((await living.renew()).gained.map(({ lane }) => lane)).toEqual([0, 1]);
  expect(await living.instances()).toEqual(['living']);
  expect((await dead.renew()).lost).toEqual([0, 1]);
});

it('leaves what a living instance holds', async () => {
  await leasesOf('first').renew();
  expect((await leasesOf('second').renew()).gained).toEqual([]);
});

it('deletes members that were killed more than an hour ago when an instance joins', async () => {
  const members = system.parts.db.collection<{ _id: string }>('read_model_instances');
  const killed = async (key: string, instance: string, minutesAgo: number) => {
    await new LaneLeases({ db: system.parts.db, key, lanes: 2, instance, ttlMs: 3_000 }).renew();
    const expiresAt = { $dateSubtract: { startDate: '$$NOW', unit: 'minute', amount: minutesAgo } };
    await members.updateOne({ _id: `${key}/${instance}` }, [{ $set: { expiresAt } }]);
  };
  await leasesOf('living').renew();
  await killed('sums@1', 'late', 59);
  await killed('sums@1', 'dead', 61);
  await killed('others@3', 'dead', 61);
  await leasesOf('newcomer').renew();
  const left = (await members.find().toArray()).map(({ _id }) => _id);
  expect(left.toSorted()).toEqual(['sums@1/late', 'sums@1/living', 'sums@1/newcomer']);
});

it('gives all lanes up while it is aside, also claimed ones, and others share them without it', async () => {
  let isAside = false;
  const [first, second] = [leasesOf('first', () => isAside), leasesOf('second')];
  first.claim([0]);
  await first.renew();
  isAside = true;
  const { gained, lost } = await first.renew();
  expect([gained, lost, first.isAside]).toEqual([[], [0, 1], true]);
  await first.release(lost);
  expect((await second.renew()).gained).toHaveLength(2);
  expect(await second.instances()).toEqual(['second']);
  expect(await first.renew()).toEqual({ gained: [], lost: [] });
  isAside = false;
  await first.renew();
  // It counts the instances at every second renewal.
  const surplus = [await second.renew(), await second.renew()].flatMap(({ lost: given }) => given);
  expect(surplus).toHaveLength(1);
});
