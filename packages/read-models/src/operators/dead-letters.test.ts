import { deadLetters } from '@mneme/event-store';
import { waitUntil } from '@mneme/local-stack/testing';
import { expect, it } from 'vitest';
import { sumOf, useTestSystem } from '../testing/test-read-model.ts';

const system = useTestSystem();

const entries = async () =>
  (await deadLetters(system.parts.connection).page(1, 100, 1e6)).entries.map(
    ({ by, aggregate }) => `${by} ${aggregate}`,
  );

it('dead letters name the version and the aggregate that wait, and go with the version', async () => {
  const readModel = await system.start();
  await system.parts.connection.request(`${system.parts.stream}.a`, 'no event at all');
  await expect.poll(entries, { timeout: 10_000 }).toEqual(['sums@1 a']);
  await readModel.rebuild();
  await expect.poll(entries, { timeout: 10_000 }).toEqual(['sums@1 a', 'sums@2 a']);
  await readModel.rebuild();
  await expect.poll(entries, { timeout: 10_000 }).toEqual(['sums@2 a', 'sums@3 a']);
});

it('a read that names an event which could not be applied is told so, and others are not', async () => {
  const readModel = await system.start();
  const { connection, stream } = system.parts;
  await connection.request(`${stream}.a`, 'no event at all');
  // Of the same lane.
  const other = await system.count('e', 1);
  expect(await readModel.awaitEvent(other, 5_000)).toBe(true);
  expect(readModel.status()[0]?.deferrals).toMatchObject([{ aggregate: 'a', kind: 'unreadable' }]);
  await expect(readModel.awaitEvent(other - 1, 5_000)).rejects.toMatchObject({ code: 'READ_MODEL_BEHIND' });
  expect(await readModel.awaitEvent(other, 5_000)).toBe(true);
});

it('a retry whose lane was opened again in between writes nothing, and the next one applies everything once', async () => {
  const first = await system.start();
  system.faults.beforeWrite = (events) => {
    if (events.some(({ subject }) => !subject.endsWith('.e'))) throw new TypeError('told to fail');
  };
  // One in each lane. After three events in a row the store is taken for the cause, so something succeeds in between.
  const aggregates = [...'abcd'];
  for (const count of [2, 4]) {
    for (const aggregate of aggregates.slice(count - 2, count)) await system.count(aggregate, 13);
    await waitUntil(() => first.status()[0]?.deferrals.length === count);
    expect(await first.awaitEvent(await system.count('e', 1), 5_000)).toBe(true);
  }

  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let writing = 0;
  system.faults.beforeWrite = () => {
    writing += 1;
    return released;
  };
  const retries = aggregates.map((aggregate) => first.retry(1, aggregate));
  await waitUntil(() => writing === aggregates.length);
  const second = await system.start();
  await waitUntil(() => second.status()[0]?.lanes.length === 2 && first.status()[0]?.lanes.length === 2);
  await second.stop();
  await waitUntil(() => first.status()[0]?.lanes.length === aggregates.length);
  release();

  const outcomes = await Promise.allSettled(retries);
  const refused = aggregates.filter((_aggregate, index) => outcomes[index]?.status === 'rejected');
  expect(refused).toHaveLength(2);
  for (const aggregate of aggregates) {
    expect(await sumOf(first, aggregate)).toBe(refused.includes(aggregate) ? undefined : 13);
  }
  for (const aggregate of refused) await first.retry(1, aggregate);
  const rows = await first
    .contents()
    .sums.find({ _id: { $in: aggregates } })
    .toArray();
  expect(rows.map(({ sum, sequences }) => [sum, sequences.length])).toEqual(aggregates.map(() => [13, 1]));
  expect(first.status()[0]?.deferrals).toEqual([]);
});
