import { expect, it } from 'vitest';
import { createLogWriter } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import { VectorStamp } from './vector-stamp.ts';

const stores = useStores();

const changed = expect.objectContaining({ 'collection of vectors': expect.stringMatching(/^an older /) });

it('recognises a Qdrant that is older than MongoDB', async () => {
  const { store, apply, db } = await stores.open();
  const before = await store.identity();
  const log = createLogWriter();
  await apply(await log.batch('one', null, 'Ships sail.'));
  expect(await store.identity()).toEqual(before);
  await apply(await log.batch('two', null, 'Boats float.'));
  expect(await store.contents.vectors.mark()).toMatchObject({ stamp: 2 });
  // As a backup of Qdrant from between has it.
  const filter = { must_not: [{ is_empty: { key: 'mark' } }] };
  await stores.qdrant.setPayload(`${db.databaseName}_units_1`, { wait: true, payload: { stamp: 1 }, filter });
  expect(await store.identity()).toEqual(changed);
});

it('never lowers the stamp, and takes a newer Qdrant for the right one', async () => {
  const { store, db } = await stores.open();
  const { vectors } = store.contents;
  await vectors.raiseStamp(7);
  await vectors.raiseStamp(3);
  expect(await vectors.mark()).toMatchObject({ stamp: 7 });
  const stamp = new VectorStamp(db, 1, vectors);
  await stamp.note();
  expect(await stamp.isAbove(7)).toBe(false);
  expect(await vectors.mark()).toMatchObject({ stamp: 7 });
});

it('begins anew with a version that is made anew', async () => {
  const { store, apply } = await stores.open();
  const log = createLogWriter();
  await apply(await log.batch('one', null, 'Ships sail.'));
  await store.create();
  expect(await store.identity()).not.toEqual(changed);
});
