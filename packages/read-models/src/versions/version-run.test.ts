import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '@mneme/local-stack/testing';
import { expect, it, onTestFinished } from 'vitest';
import { mongoLaneCheckpoints } from '../lanes/checkpoints.ts';
import { logger, type SumRows, type TestEvent, useTestSystem } from '../testing/test-read-model.ts';
import type { VersionOptions } from './version-parts.ts';
import { VersionRun } from './version-run.ts';

const system = useTestSystem();

async function startVersion(more: Partial<VersionOptions<TestEvent, SumRows>> = {}, isAside = () => false) {
  const { connection, client, db } = system.parts;
  const definition = system.definition();
  const store = definition.store(1, '1');
  await store.create();
  await mongoLaneCheckpoints(db, 'sums@1', definition.lanes.count).create();
  const run = await VersionRun.start(
    { connection, client, db, instance: 'this', isAside, logger },
    { definition, version: 1, store, identity: await store.identity(), ...more },
  );
  onTestFinished(() => run.stop());
  return run;
}

it('says which lanes it holds and cannot open, until it can', async () => {
  const checkpoints = mongoLaneCheckpoints(system.parts.db, 'sums@1', 4);
  let isBroken = true;
  const fence: typeof checkpoints.fence = async (taken) =>
    checkpoints.fence(taken.filter(({ lane }) => !isBroken || lane < 2));
  const run = await startVersion({ checkpoints: { ...checkpoints, fence } });
  expect(run.status().reason).toBeNull();
  await waitUntil(() => run.status().reason === 'It cannot open its lanes 2, 3');
  isBroken = false;
  await waitUntil(() => run.status().reason === null && run.status().lanes.length === 4);
});

it('holds no more in memory than it may while lanes cannot be applied, applies the others, and loses nothing', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  system.faults.beforeWrite = (events) => (events.some(({ type }) => type === 'Noted') ? opened : undefined);
  const run = await startVersion({ laneBytes: 1024 * 1024 });
  onTestFinished(() => open());
  const noted = { type: 'Noted', data: { text: 'x'.repeat(100 * 1024) } } as const;
  const appended: Record<string, number[]> = { a: [], b: [] };
  for (let n = 0; n < 20; n += 1) {
    for (const [aggregate, sequences] of Object.entries(appended))
      sequences.push(await system.append(aggregate, noted));
  }
  expect(await run.await(await system.count('c', 1), 10_000, 'c')).toBe(true);
  const queued = run.status().lanes.reduce((sum, lane) => sum + lane.queued, 0);
  expect(queued).toBeLessThanOrEqual(11);
  open();
  for (const [aggregate, sequences] of Object.entries(appended)) {
    expect(await run.await(sequences.at(-1) ?? 0, 20_000, aggregate)).toBe(true);
    expect(await run.store.contents.sums.findOne({ _id: aggregate })).toMatchObject({ sequences });
  }
});

it('loses no event that comes after work which was left to do has failed', async () => {
  let failures = 0;
  system.faults.maintenance = {
    isDue: () => failures === 0,
    step: async () => {
      failures += 1;
      throw new Error('Not now');
    },
  };
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  system.faults.beforeWrite = () => released;
  const run = await startVersion({ renewEveryMs: 100 });
  await waitUntil(() => failures === 1);
  // The lane that has failed is the first that is free.
  const aggregate = ['a', 'b', 'c', 'd'].find((each) => each.charCodeAt(0) % 4 === 0) ?? '';
  const sequence = await system.count(aggregate, 1);
  // Longer than it waits after a failure, and until idle lanes are written down.
  let isTakenForApplied = false;
  for (let rounds = 0; rounds < 12 && !isTakenForApplied; rounds += 1) {
    isTakenForApplied = await run.await(sequence, 0, aggregate);
    await pause(100);
  }
  release();
  expect(isTakenForApplied).toBe(false);
  expect(await run.await(sequence, 5_000, aggregate)).toBe(true);
  expect(await run.store.contents.sums.findOne({ _id: aggregate })).toMatchObject({ sum: 1 });
});

it('gives an event up in the end for which alone a store fails, and applies the others of its lane', async () => {
  system.faults.beforeWrite = (events) => {
    if (events.some(({ subject }) => subject.endsWith('.a')))
      throw Object.assign(new Error('panicked'), { status: 500 });
  };
  const run = await startVersion({ storeFailureMs: 1_000 });
  await system.count('a', 1);
  const other = await system.count('e', 5);
  expect(await run.await(other, 20_000, 'e')).toBe(true);
  expect(await run.store.contents.sums.findOne({ _id: 'e' })).toMatchObject({ sum: 5 });
  expect(run.status().deferrals).toMatchObject([{ aggregate: 'a', kind: 'failed', reason: 'panicked' }]);
});

it('has large batches give way to questions while these come, and no small ones', async () => {
  let unusedMs = 0;
  const givingWay: boolean[] = [];
  system.faults.onBatch = (givesWay) => givingWay.push(givesWay);
  await startVersion({ unusedMs: () => unusedMs });
  const applied = (batches: number) => waitUntil(() => givingWay.length === batches);
  const large = { type: 'Noted', data: { text: 'x'.repeat(200 * 1024) } } as const;
  await system.append('a', large);
  await applied(1);
  await system.count('b', 1);
  await applied(2);
  unusedMs = Number.POSITIVE_INFINITY;
  await system.append('a', large);
  await applied(3);
  expect(givingWay).toEqual([true, false, false]);
});

it('takes no lanes again after it stood aside while a batch from before waits for a store', async () => {
  let isAside = false;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  system.faults.beforeWrite = () => {
    begin();
    return released;
  };
  const run = await startVersion({ renewEveryMs: 100 }, () => isAside);
  onTestFinished(() => release());
  const sequence = await system.count('a', 1);
  await begun;
  const lanes = () => run.status().lanes.length;
  isAside = true;
  await waitUntil(() => lanes() === 0);
  isAside = false;
  for (let rounds = 0; rounds < 5; rounds += 1) {
    await pause(100);
    expect(lanes()).toBe(0);
  }
  release();
  await waitUntil(() => lanes() === 4);
  expect(await run.await(sequence, 5_000, 'a')).toBe(true);
  expect(await run.store.contents.sums.findOne({ _id: 'a' })).toMatchObject({ sum: 1 });
});
