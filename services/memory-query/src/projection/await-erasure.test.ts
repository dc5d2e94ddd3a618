import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogWriter } from '../testing/events.ts';
import { startStores } from '../testing/read-model.ts';
import { createRows } from '../testing/rows.ts';
import { awaitErasure } from './await-erasure.ts';

let stores: Awaited<ReturnType<typeof startStores>>;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

const request = { space: 'public', agentId: 'alice', sequence: 1 };
const at = (position: number) => ({
  position: () => position,
  await: async (sequence: number) => sequence <= position,
});

it('is done when the read model has come to the erasure and no units are left, for all who ask', async () => {
  const opened = await stores.open();
  const { units } = opened.readModel.collections;
  const rows = createRows();
  await units.insertMany(Array.from({ length: 2_500 }, () => rows.unit('x', { sequence: 0 })));
  expect(await awaitErasure(opened, at(0))({ ...request, waitMs: 0 })).toEqual({ isDone: false });
  await opened.project().apply([createLogWriter().erased()], { from: 0, to: 1 });
  expect(await units.countDocuments()).toBe(500);
  const wait = awaitErasure(opened, at(1));
  expect(await Promise.all([1, 2].map(() => wait({ ...request, waitMs: 5_000 })))).toEqual([
    { isDone: true },
    { isDone: true },
  ]);
  expect(await units.countDocuments()).toBe(0);
});

it('goes on when nobody waits for it any more', async () => {
  const opened = await stores.open();
  const { units, erasures } = opened.readModel.collections;
  const rows = createRows();
  await units.insertMany(Array.from({ length: 2_500 }, () => rows.unit('x', { sequence: 0 })));
  await opened.project().apply([createLogWriter().erased()], { from: 0, to: 1 });
  expect(await awaitErasure(opened, at(1))({ ...request, waitMs: 0 })).toEqual({ isDone: false });
  await expect.poll(() => erasures.countDocuments(), { timeout: 10_000 }).toBe(0);
  expect(await units.countDocuments()).toBe(0);
});
