import { setTimeout as pause } from 'node:timers/promises';
import { atFullLength, waitUntil } from '@mneme/local-stack/testing';
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
  const before = await system.startAtFive();
  await fillDisk();
  await expect(before.rebuild()).rejects.toThrow(noRoom);
  const listed = before.status().map(({ version, state, reason }) => ({ version, state, reason }));
  const unmade = { version: 2, state: 'failed', reason: expect.stringMatching(noRoom) };
  expect(listed).toEqual([{ version: 1, state: 'live', reason: null }, unmade]);
  await before.stop();
  // No other instance makes it any more.
  await system.parts.db.collection('read_model_builds').updateOne({ version: 2 }, { $set: { startedAt: new Date(0) } });
  const readModel = await system.start();
  expect(await readModel.await(await system.count('a', 2), 5_000, 'a')).toBe(true);
  expect([readModel.version, readModel.readiness(), await sumOf(readModel, 'a')]).toEqual([1, true, 7]);
  await requireSpace(usualMib);
  await waitUntil(() => readModel.version === 2, 40_000);
  expect(await sumOf(readModel, 'a')).toBe(7);
  expect(readModel.status().filter(({ state }) => state === 'failed')).toEqual([]);
});

it('old versions are removed although another one cannot be made', async () => {
  const readModel = await system.startAtFive();
  expect(await readModel.rebuild()).toMatchObject({ version: 2 });
  await fillDisk();
  const message = expect.stringMatching(/^The rebuild waits, and goes on by itself: sums@3 .* MongoDB: available disk/);
  await expect(readModel.rebuild()).rejects.toMatchObject({ status: 409, code: 'CONFLICT', message });
  expect(await collections()).toContain('sums@1');
  await endKeeping();
  await waitUntil(async () => !(await collections()).includes('sums@1'));
  expect([readModel.version, await sumOf(readModel, 'a')]).toEqual([2, 5]);
});

it.runIf(atFullLength)(
  'a version that answered before answers again while another one cannot be made, and that one takes its place',
  async () => {
    const readModel = await system.startAtFive();
    await readModel.rebuild();
    await fillDisk();
    await expect(readModel.rebuild()).rejects.toThrow(noRoom);
    expect(await readModel.rollBack()).toBe(1);
    expect([readModel.version, await sumOf(readModel, 'a')]).toEqual([1, 5]);
    await requireSpace(usualMib);
    expect((await readModel.rebuild()).version).toBeGreaterThanOrEqual(3);
    expect(await sumOf(readModel, 'a')).toBe(5);
  },
);

it('a version before that cannot be opened does not come back, and no erasure is done without it', async () => {
  const first = await system.startAtFive();
  await first.rebuild();
  await first.stop();
  const { store } = system.definition();
  const identity = () => Promise.reject(new Error('A shard is damaged'));
  const readModel = await system.start({
    store: (version, form) => ({ ...store(version, form), ...(version === 1 && { identity }) }),
  });
  await expect(readModel.rollBack()).rejects.toThrow('The earlier version of sums cannot be opened at the moment');
  const head = await system.count('a', 2);
  expect(await readModel.awaitAllVersions(head, 500, 'a')).toBe(false);
  await endKeeping();
  await waitUntil(() => readModel.awaitAllVersions(head, 500, 'a'), 20_000);
  await readModel.stop();
  const again = await system.start();
  expect([again.version, await sumOf(again, 'a')]).toEqual([2, 7]);
});

it('a start fails with what keeps a version from being made where no other one can answer', async () => {
  await fillDisk();
  await expect(system.start()).rejects.toThrow(noRoom);
});

it.runIf(atFullLength)(
  'instances do not make the same version at once, nor again and again, while there is no room for it',
  async () => {
    const tries: { readonly begun: number; ended: number }[] = [];
    const definition = system.definition();
    const store: typeof definition.store = (version, form) => {
      const usual = definition.store(version, form);
      const create = async () => {
        const attempt = { begun: performance.now(), ended: Number.POSITIVE_INFINITY };
        tries.push(attempt);
        // Longer than between two looks.
        await pause(1_500);
        await usual.create().finally(() => {
          attempt.ended = performance.now();
        });
      };
      return { ...usual, create };
    };
    const [first, second] = [await system.start({ store }), await system.start({ store })];
    tries.length = 0;
    await fillDisk();
    await expect(first.rebuild()).rejects.toThrow(noRoom);
    await waitUntil(() => tries.length >= 2, 60_000);
    for (const [index, { begun }] of tries.entries()) {
      const before = tries[index - 1];
      if (before) expect(begun - before.ended).toBeGreaterThan(1_000);
    }
    await requireSpace(usualMib);
    await waitUntil(() => first.version === 2 && second.version === 2, 60_000);
  },
);
