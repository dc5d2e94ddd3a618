import type { ClientSession } from 'mongodb';
import { expect, it } from 'vitest';
import { useTestSystem } from '../testing/test-read-model.ts';
import type { MongoWrite } from './mongo-store.ts';
import { SessionPool, sessionsCollection } from './sessions.ts';
import { insert, put } from './writes.ts';

const system = useTestSystem();

/** A collection, and a pool whose transactions write to it. */
async function withPool() {
  const { client, db } = system.parts;
  const rows = await db.createCollection<{ _id: string; by: string }>('rows');
  const sessions = new SessionPool({ client, db, key: 'sums@1', instance: 'a' });
  const write = (session: ClientSession, model: MongoWrite) =>
    client.bulkWrite<Record<string, { readonly _id: number | string }>>([model], { session });
  return { client, rows, sessions, write };
}

it('repeat a transaction in which a bulk write has met the row of another one', async () => {
  const { client, rows, sessions, write } = await withPool();
  const other = client.startSession();
  other.startTransaction();
  await rows.insertOne({ _id: 'same', by: 'other' }, { session: other });
  let tries = 0;
  await sessions.transact(async (session) => {
    tries += 1;
    // The first try fails at the row of the other transaction, which is committed before the second one.
    if (tries === 2) await other.commitTransaction();
    await write(session, put(rows, { _id: 'same', by: 'this' }));
  });
  expect(tries).toBeGreaterThanOrEqual(2);
  expect(await rows.find().toArray()).toEqual([{ _id: 'same', by: 'this' }]);
  await Promise.all([other.endSession(), sessions.close()]);
});

it('do not repeat a transaction whose bulk write is refused', async () => {
  const { rows, sessions, write } = await withPool();
  await rows.insertOne({ _id: 'same', by: 'other' });
  let tries = 0;
  const transaction = sessions.transact(async (session) => {
    tries += 1;
    await write(session, insert(rows, { _id: 'same', by: 'this' }));
  });
  await expect(transaction).rejects.toMatchObject({ name: 'MongoClientBulkWriteError' });
  expect(tries).toBe(1);
  await sessions.close();
});

it('are written down again when this instance writes again, after another one has ended them', async () => {
  const { client, db } = system.parts;
  const { rows, sessions, write } = await withPool();
  const store = (_id: string) =>
    sessions.transact(async (session) => void (await write(session, put(rows, { _id, by: 'this' }))));
  await store('before');
  const other = new SessionPool({ client, db, key: 'sums@1', instance: 'b' });
  await other.endOthers(['b']);
  const stored = () => db.collection(sessionsCollection).countDocuments({ instance: 'a' });
  expect(await stored()).toBe(0);
  await sessions.endOthers(['a', 'b']);
  expect(await stored()).toBe(1);
  await store('after');
  expect(await rows.countDocuments()).toBe(2);
  await sessions.close();
});
