import type { Db } from 'mongodb';
import type { ReadModelDefinition } from '../definition.ts';
import { mongoLaneCheckpoints } from '../lanes/checkpoints.ts';
import { mongoDeferrals } from '../lanes/deferrals.ts';

/** What is written down in MongoDB about a version of a read model, beside its rows. */
export function keptOf(
  db: Db,
  { name, lanes }: Pick<ReadModelDefinition<never, never>, 'name' | 'lanes'>,
  version: number,
) {
  const key = `${name}@${version}`;
  return { checkpoints: mongoLaneCheckpoints(db, key, lanes.count), deferrals: mongoDeferrals(db, key) };
}
