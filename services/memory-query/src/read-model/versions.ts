import { liveVersion } from '@mneme/event-store';
import { type Collection, type Db, MongoServerError } from 'mongodb';

/** What one version of a read model is made by. `_id` is its number. */
interface StoredVersion {
  readonly _id: number;
  /** Counted up in the code when rows or their derivation change. */
  readonly form: number;
  readonly embeddingModel: string;
}

const duplicateKey = 11_000;

/** The number of the version with this form and these vectors; a new one when there is none yet. */
export async function versionFor(db: Db, name: string, form: number, embeddingModel: string): Promise<number> {
  const versions = versionsOf(db, name);
  const known = await versions.findOne({ form, embeddingModel });
  if (known) return known._id;
  const [newest] = await versions.find({}).sort({ _id: -1 }).limit(1).toArray();
  const next = Math.max(newest?._id ?? 0, (await liveVersion(db, name)) ?? 0) + 1;
  try {
    await versions.insertOne({ _id: next, form, embeddingModel });
    return next;
  } catch (error) {
    // Another instance was as fast; perhaps with the same version.
    if (!(error instanceof MongoServerError) || error.code !== duplicateKey) throw error;
    return versionFor(db, name, form, embeddingModel);
  }
}

/** Whose vectors a version has; undefined when it was made before that was written down. */
export async function embeddingModelOf(db: Db, name: string, version: number): Promise<string | undefined> {
  return (await versionsOf(db, name).findOne({ _id: version }))?.embeddingModel;
}

function versionsOf(db: Db, name: string): Collection<StoredVersion> {
  return db.collection<StoredVersion>(`${name}_versions`);
}
