import type { Collection, Db } from 'mongodb';
import { isDuplicateKey } from '../mongo/duplicate-key.ts';
import { liveVersion } from '../mongo/read-model-version.ts';

/** One version of the read model; `_id` is its number. */
interface StoredVersion {
  readonly _id: number;
  readonly form: number;
}

/** A read model, by the name that it has in a database, and the form that this code knows. */
export interface Versions {
  readonly db: Db;
  readonly name: string;
  readonly form: number;
}

/** The version that this code serves: the live one if it has the right form, else the newest of that form, or a new one. */
export async function servedVersion(versions: Versions): Promise<number> {
  const live = await liveVersion(versions.db, versions.name);
  if (live !== undefined && (await isServed(versions, live))) return live;
  const known = await newestFirst(versions);
  const fitting = known.find(({ form }) => form === versions.form);
  if (fitting) return fitting._id;
  // Another instance may be as fast, and has then added the one that is looked for, under the same number.
  return (await tryAddVersion(versions, numberAfter(known, live))) ?? servedVersion(versions);
}

/** Whether this code can read and write a version. */
export async function isServed(versions: Versions, version: number): Promise<boolean> {
  return (await versionsOf(versions).findOne({ _id: version }))?.form === versions.form;
}

/** The number of a new, empty version, higher than all others and than `above`. */
export async function addVersion(versions: Versions, above: number): Promise<number> {
  for (;;) {
    const known = await newestFirst(versions);
    const live = await liveVersion(versions.db, versions.name);
    const added = await tryAddVersion(versions, Math.max(above + 1, numberAfter(known, live)));
    if (added !== undefined) return added;
  }
}

/** The versions before one that are still written down. */
export async function versionsBefore(versions: Versions, version: number): Promise<number[]> {
  const before = await versionsOf(versions)
    .find({ _id: { $lt: version } })
    .toArray();
  return before.map(({ _id }) => _id);
}

export async function forgetVersion(versions: Versions, version: number): Promise<void> {
  await versionsOf(versions).deleteOne({ _id: version });
}

function newestFirst(versions: Versions): Promise<StoredVersion[]> {
  return versionsOf(versions).find({}).sort({ _id: -1 }).toArray();
}

function numberAfter([newest]: readonly StoredVersion[], live: number | undefined): number {
  return Math.max(newest?._id ?? 0, live ?? 0) + 1;
}

/** Returns the number; undefined when there is a version of that number by now. */
async function tryAddVersion(versions: Versions, number: number): Promise<number | undefined> {
  try {
    await versionsOf(versions).insertOne({ _id: number, form: versions.form });
    return number;
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
}

function versionsOf({ db, name }: Versions): Collection<StoredVersion> {
  return db.collection<StoredVersion>(`${name}_versions`);
}
