import type { Db } from 'mongodb';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LaneLeases } from '../lanes/leases.ts';
import { useTestSystem } from '../testing/test-read-model.ts';
import { Registry } from './registry.ts';

const system = useTestSystem();
const hourMs = 60 * 60_000;

/** Sets the clock of this machine, which is not the one of the database, to a time that many milliseconds from now. */
function skewClock(byMs: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
  onTestFinished(() => void vi.useRealTimers());
}

/** A version that was begun long ago, by the clock of the database. */
const age = (db: Db, version: number) =>
  db
    .collection<{ _id: string }>('read_model_builds')
    .updateOne({ _id: `sums@${version}` }, [{ $set: { startedAt: { $subtract: ['$$NOW', hourMs] } } }]);

it('numbers versions above all others', async () => {
  const registry = new Registry(system.parts.db, 'sums');
  const added = await Promise.all([registry.add('$1', 0), registry.add('$1', 0)]);
  expect(added.toSorted()).toEqual([1, 2]);
  expect(await registry.add('2', 6)).toBe(7);
  expect(await registry.build(1)).toMatchObject({ name: 'sums', version: 1, form: '$1', identity: null });
});

it.each([
  ['late', hourMs],
  ['early', -hourMs],
])('leaves a version to the instance that makes it when its own clock is %s', async (_, byMs) => {
  const registry = new Registry(system.parts.db, 'sums');
  const version = await registry.add('1', 0);
  skewClock(byMs);
  expect([await registry.takeOver(version), await registry.begunBefore(5_000)]).toEqual([false, []]);
  const byOther = await registry.add('1', 0);
  await age(system.parts.db, version);
  await registry.keepMaking(version);
  vi.useRealTimers();
  for (const each of [version, byOther]) expect(await registry.takeOver(each)).toBe(false);
});

it('lets one instance take over a version whose maker is not heard of any more', async () => {
  const registry = new Registry(system.parts.db, 'sums');
  const version = await registry.add('1', 0);
  await age(system.parts.db, version);
  skewClock(-2 * hourMs);
  expect(await registry.begunBefore(5_000)).toEqual([version]);
  expect([await registry.takeOver(version), await registry.takeOver(version)]).toEqual([true, false]);
  await age(system.parts.db, version);
  await registry.complete(version, { identity: {}, beside: {} });
  expect(await registry.takeOver(version)).toBe(false);
});

it('does not count signs that were written while the clock of the database was hours ahead', async () => {
  const { db } = system.parts;
  const registry = new Registry(db, 'sums');
  const version = await registry.add('1', 0);
  const key = `sums@${version}`;
  const leases = new LaneLeases({ db, key, lanes: 1, instance: 'dead', ttlMs: 3_000 });
  await leases.renew();
  const hasSigns = async () => [await registry.isBeingMade(version, 5_000), await registry.isAtWork(version, 5_000)];
  expect(await hasSigns()).toEqual([true, true]);
  const hoursAhead = { $add: ['$$NOW', 2 * hourMs] };
  await db.collection('read_model_builds').updateMany({}, [{ $set: { startedAt: hoursAhead } }]);
  await db.collection('read_model_instances').updateMany({}, [{ $set: { expiresAt: hoursAhead } }]);
  expect(await hasSigns()).toEqual([false, false]);
  expect([await registry.takeOver(version), await registry.takeOver(version)]).toEqual([true, false]);
});
