import { waitUntil } from '@mneme/local-stack';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mongoLaneCheckpoints } from '../lanes/checkpoints.ts';
import { logger, startBench } from '../testing/test-read-model.ts';
import { VersionRun } from './version-run.ts';

let bench: Awaited<ReturnType<typeof startBench>>;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench?.stop());

it('says which lanes it holds and cannot open, until it can', async () => {
  const system = await bench.open();
  const { connection, client, db } = system.parts;
  const definition = system.definition();
  const store = definition.store(1, '1');
  await store.create();
  const checkpoints = mongoLaneCheckpoints(db, 'sums@1', 4);
  let isBroken = true;
  const fence: typeof checkpoints.fence = async (taken) =>
    checkpoints.fence(taken.filter(({ lane }) => !isBroken || lane < 2));
  const run = await VersionRun.start(
    { connection, client, db, instance: 'this', logger },
    { definition, version: 1, store, checkpoints: { ...checkpoints, fence }, identity: await store.identity() },
  );
  expect(run.status().reason).toBeNull();
  await waitUntil(() => run.status().reason === 'It cannot open its lanes 2, 3');
  isBroken = false;
  await waitUntil(() => run.status().reason === null && run.status().lanes.length === 4);
  await run.stop();
});
