import type { Collection, Db } from 'mongodb';

interface Pointer {
  readonly _id: string;
  readonly version: number;
}

/** Which version of a read model answers queries; undefined before the first switch. */
export async function liveVersion(db: Db, name: string): Promise<number | undefined> {
  return (await pointers(db).findOne({ _id: name }))?.version;
}

/**
 * Lets another version of a read model answer queries, in one step. Going back is a switch too.
 * @param from the version that is live now; undefined for the first switch.
 * @throws Error when another version is live by now.
 */
export async function switchLive(db: Db, name: string, from: number | undefined, to: number): Promise<void> {
  const isSwitched = from === undefined ? await insertPointer(db, name, to) : await movePointer(db, name, from, to);
  if (!isSwitched) throw new Error(`${name}@${from ?? 'none'} is not live, so that it cannot be switched to @${to}`);
}

async function insertPointer(db: Db, name: string, version: number): Promise<boolean> {
  const result = await pointers(db).updateOne({ _id: name }, { $setOnInsert: { version } }, { upsert: true });
  return result.upsertedCount === 1;
}

async function movePointer(db: Db, name: string, from: number, to: number): Promise<boolean> {
  const result = await pointers(db).updateOne({ _id: name, version: from }, { $set: { version: to } });
  return result.matchedCount === 1;
}

function pointers(db: Db): Collection<Pointer> {
  return db.collection<Pointer>('read_model_versions');
}
