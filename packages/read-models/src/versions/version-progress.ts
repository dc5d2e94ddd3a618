import type { Db } from 'mongodb';
import type { ReadModelDefinition } from '../definition.ts';
import { checkpointsCollection, mongoLaneCheckpoints } from '../lanes/checkpoints.ts';
import { deferralsCollection, mongoDeferrals } from '../lanes/deferrals.ts';
import { mongoIdentity } from '../mongo/mongo-store.ts';

/** The checkpoints and deferrals of a version of a read model in MongoDB. */
export function versionProgress(
  db: Db,
  { name, lanes }: Pick<ReadModelDefinition<never, never>, 'name' | 'lanes'>,
  version: number,
) {
  const key = `${name}@${version}`;
  return { checkpoints: mongoLaneCheckpoints(db, key, lanes.count), deferrals: mongoDeferrals(db, key) };
}

/** Identifies their collections: rows do not match checkpoints and deferrals that were created anew. */
export function progressIdentity(db: Db): Promise<Record<string, string>> {
  return mongoIdentity(db, [checkpointsCollection, deferralsCollection]);
}
