import { expect, it, onTestFinished } from 'vitest';
import { context, sumOf, useTestSystem } from '../testing/test-read-model.ts';

const system = useTestSystem();

/** More than a lane takes. */
const many = 2_300;

it('a lane that is full holds up the others for a moment only, and loses nothing', async () => {
  const gate = Promise.withResolvers<void>();
  onTestFinished(() => gate.resolve());
  system.faults.beforeWrite = async (events) => {
    if (events.some(({ subject }) => subject.endsWith('.a'))) await gate.promise;
  };
  const readModel = await system.start();
  const { store, stream } = system.parts;
  const counted = (count: number) =>
    Array.from({ length: count }, () => ({ type: 'Counted', data: { n: 1 } }) as const);
  for (let left = many; left > 0; left -= 500) {
    await store.append(`${stream}.a`, counted(Math.min(500, left)), 'any', context);
  }
  for (const aggregate of ['b', 'c']) {
    const last = await system.count(aggregate, 7);
    expect(await readModel.await(last, 5_000, aggregate)).toBe(true);
    expect(await sumOf(readModel, aggregate)).toBe(7);
  }
  gate.resolve();
  const last = await system.count('a', 1);
  expect(await readModel.await(last, 20_000, 'a')).toBe(true);
  const row = await readModel.contents().sums.findOne({ _id: 'a' });
  expect(row?.sum).toBe(many + 1);
  expect(row?.sequences).toEqual([...Array.from({ length: many }, (_, index) => index + 1), last]);
});

it('gets what stands behind a file that cannot be read, and what is appended later', async () => {
  const { first, last } = await system.damage('a');
  const readModel = await system.start();
  expect(await readModel.await(last, 30_000, 'a')).toBe(true);
  const later = await system.count('a', 1);
  expect(await readModel.await(later, 30_000, 'a')).toBe(true);
  const row = await readModel.contents().sums.findOne({ _id: 'a' });
  expect(row?.sequences).toEqual(Array.from({ length: later - first + 1 }, (_, index) => first + index));
});
