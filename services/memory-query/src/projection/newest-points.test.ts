import { afterAll, beforeAll, expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import { createLogWriter } from '../testing/events.ts';
import { startStores } from '../testing/read-model.ts';
import { lacksNewest } from './newest-points.ts';

let stores: Awaited<ReturnType<typeof startStores>>;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

/** A store with a document of so many facts, and one fact beside it. */
async function filled(facts: number) {
  const { store, apply } = await stores.open();
  const log = createLogWriter();
  const texts = Array.from({ length: facts }, (_, index) => `Crate ${index} is full.`);
  await apply([log.submitted('doc', 'doc', 'x'), await log.extracted('doc', 'doc', ...texts)]);
  const lacks = (isSettled = async () => true) => lacksNewest(store.contents, isSettled);
  return { log, store, apply, lacks };
}

it('finds that Qdrant lacks a unit that MongoDB has', async () => {
  const { store, lacks } = await filled(3);
  expect(await lacks()).toBe(false);
  await store.contents.vectors.remove([unitId('doc', 1)], 1_000);
  expect(await lacks()).toBe(true);
});

it('misses nothing of an empty store, or of units that are being removed', async () => {
  const { log, store, apply, lacks } = await filled(150);
  await apply([log.deleted('doc')]);
  await store.contents.vectors.remove([unitId('doc', 149)], 1_000);
  expect(await store.contents.collections.units.countDocuments()).toBeGreaterThan(0);
  expect(await lacks()).toBe(false);
  const empty = await stores.open();
  expect(await lacksNewest(empty.store.contents, async () => true)).toBe(false);
});

it('takes no unit for lost about which an event is still to be applied', async () => {
  const { log, store, apply, lacks } = await filled(1);
  await store.contents.vectors.remove([unitId('doc', 0)], 1_000);
  expect(await lacks(async () => false)).toBe(false);
  const correct = async () => {
    await apply([await log.corrected(unitId('doc', 0), 'The crate is empty.')]);
    return true;
  };
  expect(await lacks(correct)).toBe(false);
});
