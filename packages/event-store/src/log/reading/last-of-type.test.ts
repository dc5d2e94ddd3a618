import { expect, it } from 'vitest';
import { context, countedTo, type TestEvent, useTestLog } from '../../testing/test-log.ts';

const log = useTestLog();

const noted: TestEvent = { type: 'Noted', data: { text: 'x' } };
const isNoted = (type: string | undefined) => type === 'Noted';

it('finds the last event of a type, also far before the end of the log, and none up to a position', async () => {
  const { store, stream } = log;
  const find = (after: number, subject = `${stream}.a.>`) => store.lastOfType(subject, isNoted, after);
  expect(await find(0)).toBe(0);
  await store.append(`${stream}.a.1`, [noted, noted], 0, context);
  await store.append(`${stream}.b.1`, [noted], 0, context);
  for (const part of [1, 2, 3]) await store.append(`${stream}.a.${part}`, countedTo(900), 'any', context);
  expect(await find(0)).toBe(2);
  expect(await find(1)).toBe(2);
  expect(await find(2)).toBe(0);
  expect(await find(5_000)).toBe(0);
  expect(await find(0, `${stream}.b.>`)).toBe(3);
  await store.append(`${stream}.a.1`, [noted], 'any', context);
  expect(await find(2)).toBe(2_704);
});
