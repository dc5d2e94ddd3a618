import { liveVersion } from '@mneme/event-store';
import { type Collection, type Db, MongoServerError } from 'mongodb';
import { accessReadModel } from './access-projection.ts';

/** One version of the read model; `_id` is its number. */
interface StoredVersion {
  readonly _id: number;
  readonly form: number;
}

/** Counted up when the rows or what they are made of change; the new version is then filled beside the old one. */
const readModelForm = 1;
const duplicateKey = 11_000;

/** The version that this code serves: the live one if it has the right form, else the newest of that form, or a new one. */
export async function servedVersion(db: Db): Promise<number> {
  const live = await liveVersion(db, accessReadModel);
  if (live !== undefined && (await isServed(db, live))) return live;
  const [newest] = await versionsOf(db).find({ form: readModelForm }).sort({ _id: -1 }).limit(1).toArray();
  if (newest) return newest._id;
  // Another instance may be as fast, and has then added the one that is looked for.
  return (await tryAddVersion(db)) ?? servedVersion(db);
}

/** Whether this code can read and write a version. */
export async function isServed(db: Db, version: number): Promise<boolean> {
  return (await versionsOf(db).findOne({ _id: version }))?.form === readModelForm;
}

/** The number of a new, empty version, higher than all others and than `above`. */
export async function addVersion(db: Db, above: number): Promise<number> {
  for (;;) {
    const added = await tryAddVersion(db, above);
    if (added !== undefined) return added;
  }
}

/** The versions before one that are still written down. */
export async function versionsBefore(db: Db, version: number): Promise<number[]> {
  const before = await versionsOf(db)
    .find({ _id: { $lt: version } })
    .toArray();
  return before.map(({ _id }) => _id);
}

export async function forgetVersion(db: Db, version: number): Promise<void> {
  await versionsOf(db).deleteOne({ _id: version });
}

async function tryAddVersion(db: Db, above = 0): Promise<number | undefined> {
  const [newest] = await versionsOf(db).find({}).sort({ _id: -1 }).limit(1).toArray();
  const next = Math.max(above, newest?._id ?? 0, (await liveVersion(db, accessReadModel)) ?? 0) + 1;
  try {
    await versionsOf(db).insertOne({ _id: next, form: readModelForm });
    return next;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === duplicateKey) return undefined;
    throw error;
  }
}

function versionsOf(db: Db): Collection<StoredVersion> {
  return db.collection<StoredVersion>(`${accessReadModel}_versions`);
}
