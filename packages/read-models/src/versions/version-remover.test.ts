import { expect, it } from 'vitest';
import { FencedError } from '../errors.ts';
import { LaneLeases } from '../lanes/leases.ts';
import { SessionPool } from '../mongo/sessions.ts';
import { logger, useTestSystem } from '../testing/test-read-model.ts';
import { Registry } from './registry.ts';
import { versionProgress } from './version-progress.ts';
import { VersionRemover } from './version-remover.ts';

const system = useTestSystem();
/** Abandoned versions are removed at one of this many looks. */
const looks = 10;

/** A remover, and three versions of which none has a role and all were begun an hour ago. */
async function withOldVersions() {
  const { connection, client, db } = system.parts;
  const registry = new Registry(db, 'sums');
  await registry.begin();
  for (const _ of [1, 2, 3]) await registry.add('1', 0);
  const hourAgo = { $dateSubtract: { startDate: '$$NOW', unit: 'hour', amount: 1 } };
  await db.collection('read_model_builds').updateMany({}, [{ $set: { startedAt: hourAgo } }]);
  const deps = { connection, client, db, instance: 'a', logger };
  const remover = new VersionRemover({
    deps,
    definition: system.definition(),
    registry,
    takeOut: () => undefined,
  });
  const left = async () => (await registry.begunBefore(0)).toSorted();
  return { registry, remover, left };
}

it('removes abandoned versions, but none that another instance has given a role during the look', async () => {
  const { registry, remover, left } = await withOldVersions();
  const blank = { live: null, target: null, previous: null };
  expect(await registry.change(blank, { ...blank, live: 3 })).toBe(true);
  for (let look = 0; look < looks; look += 1) await remover.removeAbandoned(2);
  expect(await left()).toEqual([2, 3]);
});

it('removes no version when nothing is known of their roles, because the database was lost', async () => {
  const { remover, left } = await withOldVersions();
  await system.parts.db.collection('read_models').drop();
  for (let look = 0; look < looks; look += 1) await remover.removeAbandoned(undefined);
  expect(await left()).toEqual([1, 2, 3]);
});

/** An instance with version 1 at work that writes in a session, and a count of the leases, members and sessions of a version. */
async function withHolder() {
  const { client, db } = system.parts;
  const about = { db, key: 'sums@1', instance: 'holder' };
  const leases = new LaneLeases({ ...about, lanes: 4, ttlMs: 3_000 });
  const sessions = new SessionPool({ ...about, client });
  const { checkpoints } = versionProgress(db, system.definition(), 1);
  await checkpoints.create();
  await leases.renew();
  await checkpoints.fence((await leases.renew(() => false)).gained);
  await sessions.transact(async () => undefined);
  const rowsOf = async (version: string) => {
    const names = ['read_model_leases', 'read_model_instances', 'read_model_sessions'];
    return Promise.all(names.map((name) => db.collection(name).countDocuments({ version })));
  };
  return { leases, sessions, checkpoints, rowsOf };
}

const hourAgo = [{ $set: { expiresAt: { $dateSubtract: { startDate: '$$NOW', unit: 'hour', amount: 1 } } } }];

it('deletes the leases of a version that it removes, and of no other one', async () => {
  const { remover } = await withOldVersions();
  const { leases, sessions, rowsOf } = await withHolder();
  const { db } = system.parts;
  for (const key of ['sums@2', 'sums-bucket@1'])
    await new LaneLeases({ db, key, lanes: 1, instance: 'other', ttlMs: 3_000 }).renew();
  await leases.stop();
  await sessions.close();
  await remover.remove(1);
  expect(await rowsOf('sums@1')).toEqual([0, 0, 0]);
  expect(await rowsOf('sums@2')).toEqual([1, 1, 0]);
  expect(await rowsOf('sums-bucket@1')).toEqual([1, 1, 0]);
});

it('deletes what an instance has left of a removed version when it is gone, not before', async () => {
  const { remover } = await withOldVersions();
  const { leases, rowsOf } = await withHolder();
  await remover.remove(1);
  expect(await rowsOf('sums@1')).toEqual([4, 1, 1]);
  expect((await leases.renew()).lost).toEqual([]);
  // Killed an hour ago, without giving anything back.
  await system.parts.db.collection('read_model_instances').updateMany({}, hourAgo);
  for (let look = 0; look < looks; look += 1) await remover.removeAbandoned(2);
  expect(await rowsOf('sums@1')).toEqual([0, 0, 0]);
});

it('leaves no way to write to a former holder whose leases are deleted', async () => {
  const { remover } = await withOldVersions();
  const { leases, checkpoints, rowsOf } = await withHolder();
  const [held] = (await leases.renew(() => false)).gained;
  const move = { lane: 0, epoch: held?.epoch ?? 0, from: 0, to: 0, lastEvent: null };
  await checkpoints.move([move], 'log');
  await system.parts.db.collection('read_model_instances').updateMany({}, hourAgo);
  await remover.remove(1);
  expect(await rowsOf('sums@1')).toEqual([0, 0, 0]);
  await expect(checkpoints.move([move], 'log')).rejects.toThrow(FencedError);
  // It stood still meanwhile: it finds its leases lost, makes them anew, and still cannot open a lane.
  expect((await leases.renew()).lost).toEqual([0, 1, 2, 3]);
  const { gained } = await leases.renew();
  expect(gained).toHaveLength(4);
  expect(await checkpoints.fence(gained)).toEqual([]);
});
