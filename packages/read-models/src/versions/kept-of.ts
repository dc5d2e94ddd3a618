import type { Db } from 'mongodb';
import type { ReadModelDefinition } from '../definition.ts';
import { checkpointsCollection, mongoLaneCheckpoints } from '../lanes/checkpoints.ts';
import { deferralsCollection, mongoDeferrals } from '../lanes/deferrals.ts';
import { mongoIdentity } from '../mongo/mongo-store.ts';

/** What is written down in MongoDB about a version of a read model, beside its rows. */
export function keptOf(
  db: Db,
  { name, lanes }: Pick<ReadModelDefinition<never, never>, 'name' | 'lanes'>,
  version: number,
) {
  const key = `${name}@${version}`;
  return { checkpoints: mongoLaneCheckpoints(db, key, lanes.count), deferrals: mongoDeferrals(db, key) };
}

/** Names the collections of what is written down: rows do not go with checkpoints and deferrals that were made anew. */
export function identityOfKept(db: Db): Promise<Record<string, string>> {
  return mongoIdentity(db, [checkpointsCollection, deferralsCollection]);
}
