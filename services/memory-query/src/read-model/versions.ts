import { isDuplicateKey, liveVersion } from '@mneme/event-store';
import type { Collection, Db } from 'mongodb';

/** What one version of a read model is made by. `_id` is its number. */
interface StoredVersion {
  readonly _id: number;
  /** Counted up in the code when rows or their derivation change. */
  readonly form?: number;
  readonly embeddingModel?: string;
  /** Nobody goes back to it; what is left of it is being taken out. */
  readonly isRetired?: boolean;
}

/** The number of the version with this form and these vectors; a new one when there is none yet. */
export async function versionFor(db: Db, name: string, form: number, embeddingModel: string): Promise<number> {
  const versions = versionsOf(db, name);
  const known = await versions.findOne({ form, embeddingModel, isRetired: { $ne: true } });
  if (known) return known._id;
  const [newest] = await versions.find({}).sort({ _id: -1 }).limit(1).toArray();
  const next = Math.max(newest?._id ?? 0, (await liveVersion(db, name)) ?? 0) + 1;
  try {
    await versions.insertOne({ _id: next, form, embeddingModel });
    return next;
  } catch (error) {
    // Another instance was as fast; perhaps with the same version.
    if (!isDuplicateKey(error)) throw error;
    return versionFor(db, name, form, embeddingModel);
  }
}

/** Whose vectors a version has; undefined when it was made before that was written down. */
export async function embeddingModelOf(db: Db, name: string, version: number): Promise<string | undefined> {
  return (await versionsOf(db, name).findOne({ _id: version }))?.embeddingModel;
}

/** Lets nobody take these versions any more. Those that were made before versions were written down may be among them. */
export async function markRetired(db: Db, name: string, versions: readonly number[]): Promise<void> {
  for (const _id of versions) {
    await versionsOf(db, name).updateOne({ _id }, { $set: { isRetired: true } }, { upsert: true });
  }
}

/** Versions of which something may be left. */
export async function retiredVersions(db: Db, name: string): Promise<number[]> {
  return (await versionsOf(db, name).find({ isRetired: true }).toArray()).map(({ _id }) => _id);
}

/** Takes a version off the list when nothing of it is left. */
export async function forgetVersion(db: Db, name: string, version: number): Promise<void> {
  await versionsOf(db, name).deleteOne({ _id: version, isRetired: true });
}

function versionsOf(db: Db, name: string): Collection<StoredVersion> {
  return db.collection<StoredVersion>(`${name}_versions`);
}
