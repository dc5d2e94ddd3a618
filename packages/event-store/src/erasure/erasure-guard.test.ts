import { expect, it } from 'vitest';
import type { EventStore } from '../event-store.ts';
import { context, counted, type TestEvent, useTestLog } from '../testing/test-log.ts';
import { openEraser } from './eraser.ts';
import { erasureGuard } from './erasure-guard.ts';

const log = useTestLog();

class ErasedError extends Error {}

const noted: TestEvent = { type: 'Noted', data: { text: 'derived' } };
const subjectOf = (name: string) => `${log.stream}.${name}`;
const erase = () => log.store.append(subjectOf('owner'), [counted(1)], 'any', context);

/** Appends two events that are derived from what was read up to `readAt`. */
function write(readAt: number, store: EventStore<TestEvent> = log.store) {
  const erasure = { subject: subjectOf('owner'), type: 'Counted', readAt, refusal: () => new ErasedError() };
  const guarded = erasureGuard({ store, eraser: openEraser(log.connection, log.stream) }, erasure);
  return guarded.append(subjectOf('derived'), [noted, noted], 0, context);
}

it('appends events that are derived from data that still exists', async () => {
  const position = await write(0);
  expect((await log.store.load(subjectOf('derived'))).revision).toBe(position.sequence);
});

it('appends nothing that is derived from data that was erased since it was read', async () => {
  const { sequence } = await erase();
  await expect(write(0)).rejects.toThrow(ErasedError);
  expect(await log.store.head()).toBe(sequence);
});

it('appends after events of other types on the subject of the erasure', async () => {
  await log.store.append(subjectOf('owner'), [noted], 0, context);
  await write(0);
  expect((await log.store.load(subjectOf('derived'))).events).toHaveLength(2);
});

it('leaves no event that is derived from data that is erased during the append', async () => {
  const overtaken: EventStore<TestEvent> = {
    ...log.store,
    append: async (...appended) => {
      await erase();
      return log.store.append(...appended);
    },
  };
  await expect(write(0, overtaken)).rejects.toThrow(ErasedError);
  expect((await log.store.load(subjectOf('derived'))).events).toEqual([]);
});

it('appends events that are derived from what was recorded after an erasure', async () => {
  const { sequence } = await erase();
  await write(sequence);
  expect((await log.store.load(subjectOf('derived'))).events).toHaveLength(2);
});
