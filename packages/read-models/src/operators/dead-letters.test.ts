import { deadLetters } from '@mneme/event-store';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startBench, type TestSystem } from '../testing/test-read-model.ts';

let bench: Awaited<ReturnType<typeof startBench>>;
let system: TestSystem;
beforeAll(async () => {
  bench = await startBench();
}, 120_000);
afterAll(() => bench?.stop());
beforeEach(async () => {
  system = await bench.open();
});
afterEach(() => system.stop());

const entries = async () =>
  (await deadLetters(system.parts.connection).list()).map(({ by, aggregate }) => `${by} ${aggregate}`);

it('dead letters name the version and the aggregate that wait, and go with the version', async () => {
  const readModel = await system.start();
  await system.parts.connection.request(`${system.parts.stream}.a`, 'no event at all');
  await expect.poll(entries, { timeout: 10_000 }).toEqual(['sums@1 a']);
  await readModel.rebuild();
  await expect.poll(entries, { timeout: 10_000 }).toEqual(['sums@1 a', 'sums@2 a']);
  await readModel.rebuild();
  await expect.poll(entries, { timeout: 10_000 }).toEqual(['sums@2 a', 'sums@3 a']);
}, 30_000);

it('a read that names an event which could not be applied is told so, and others are not', async () => {
  const readModel = await system.start();
  const { connection, stream } = system.parts;
  await connection.request(`${stream}.a`, 'no event at all');
  const other = await system.count('b', 1);
  expect(await readModel.awaitEvent(other, 5_000)).toBe(true);
  await expect.poll(() => readModel.status()[0]?.deferrals.length, { timeout: 5_000 }).toBe(1);
  await expect(readModel.awaitEvent(other - 1, 5_000)).rejects.toMatchObject({ code: 'READ_MODEL_BEHIND' });
  expect(await readModel.awaitEvent(other, 5_000)).toBe(true);
});
