import { waitUntil } from '@mneme/local-stack/testing';
import { expect, it, onTestFinished } from 'vitest';
import { sumOf, useTestSystem } from '../testing/test-read-model.ts';

const system = useTestSystem();

/** MongoDB makes indexes on a disk with more free space only, in MiB. */
const usualMib = 500;
const fullMib = 1024 * 1024;
const noRoom = /available disk space of \d+ bytes is less than required/;

function requireSpace(mib: number): Promise<unknown> {
  const admin = system.parts.client.db('admin');
  return admin.command({ setParameter: 1, indexBuildMinAvailableDiskSpaceMB: mib });
}

async function fillDisk(): Promise<void> {
  onTestFinished(async () => void (await requireSpace(usualMib)));
  await requireSpace(fullMib);
}

const collections = async () => (await system.parts.db.listCollections().toArray()).map(({ name }) => name);

/** Lets the time be over for which the version before is kept. */
async function endKeeping(): Promise<void> {
  await system.parts.db.collection('read_models').updateOne({}, { $set: { 'previous.until': new Date(0) } });
}

it('a version that cannot be made keeps the one that answers from nothing, also not from starting', async () => {
  const before = await system.start();
  await before.await(await system.count('a', 5), 5_000);
  await fillDisk();
  await expect(before.rebuild()).rejects.toThrow(noRoom);
  await before.stop();
  // No other instance makes it any more.
  await system.parts.db.collection('read_model_builds').updateOne({ version: 2 }, { $set: { startedAt: new Date(0) } });
  const readModel = await system.start();
  expect(await readModel.await(await system.count('a', 2), 5_000, 'a')).toBe(true);
  expect([readModel.version, readModel.readiness(), await sumOf(readModel, 'a')]).toEqual([1, true, 7]);
  await requireSpace(usualMib);
  await waitUntil(() => readModel.version === 2, 40_000);
  expect(await sumOf(readModel, 'a')).toBe(7);
});

it('old versions are removed although another one cannot be made', async () => {
  const readModel = await system.start();
  await readModel.await(await system.count('a', 5), 5_000);
  expect(await readModel.rebuild()).toMatchObject({ version: 2 });
  await fillDisk();
  await expect(readModel.rebuild()).rejects.toThrow(noRoom);
  expect(await collections()).toContain('sums@1');
  await endKeeping();
  await waitUntil(async () => !(await collections()).includes('sums@1'));
  expect([readModel.version, await sumOf(readModel, 'a')]).toEqual([2, 5]);
});

it('a version that answered before answers again while another one cannot be made, and that one takes its place', async () => {
  const readModel = await system.start();
  await readModel.await(await system.count('a', 5), 5_000);
  await readModel.rebuild();
  await fillDisk();
  await expect(readModel.rebuild()).rejects.toThrow(noRoom);
  expect(await readModel.rollBack()).toBe(1);
  expect([readModel.version, await sumOf(readModel, 'a')]).toEqual([1, 5]);
  await requireSpace(usualMib);
  expect((await readModel.rebuild()).version).toBeGreaterThanOrEqual(3);
  expect(await sumOf(readModel, 'a')).toBe(5);
});

it('a start fails with what keeps a version from being made where no other one can answer', async () => {
  await fillDisk();
  await expect(system.start()).rejects.toThrow(noRoom);
});
