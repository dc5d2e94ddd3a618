import { mongoCheckpoints } from '@mneme/event-store';
import type { ClientSession, Collection, Db } from 'mongodb';
import type { MemoryCollections } from '../read-model/collections.ts';
import { memoryReadModel, type ReadModel } from '../read-model/open-read-model.ts';

export interface ForgetAgents {
  readonly db: Db;
  readonly readModel: ReadModel;
  readonly agentKeys: ReadonlySet<string>;
  /** The sequence of the erasure; nothing after it is touched. */
  readonly erasure: number;
}

/** A transaction has to end within a minute and has to fit into memory; so many units with their links go at once. */
const unitsAtOnce = 1_000;

/**
 * Takes the units of agents out, with their links, before the transaction that takes the rest: they may be millions of
 * rows. It can be repeated, and does not touch what an agent of the same name has stored since the erasure.
 */
export async function forgetUnits({ db, readModel, agentKeys, erasure }: ForgetAgents): Promise<void> {
  if (agentKeys.size === 0) return;
  const behind = await mongoCheckpoints(db).findBehind(memoryReadModel, erasure);
  const filter = { agentKey: { $in: [...agentKeys] }, sequence: { $lt: erasure } };
  for (const { collections } of await versionsOf(readModel, behind)) {
    for (let isMore = true; isMore; ) {
      const units = await collections.units
        .find(filter, { projection: { _id: 1 } })
        .limit(unitsAtOnce)
        .toArray();
      const ids = { $in: units.map(({ _id }) => _id) };
      await collections.links.deleteMany({ $or: [{ from: ids }, { to: ids }] });
      await collections.units.deleteMany({ _id: ids });
      isMore = units.length === unitsAtOnce;
    }
  }
}

/**
 * Takes everything of agents out of the read model, within the transaction of the session: only the projector whose turn
 * it is gets here, so that nothing which an agent of the same name has stored since can go with it.
 *
 * Other versions of the read model that have not come as far are emptied too. One that was left behind when a newer took
 * its place never would be, and one that is being filled comes to the erasure itself.
 */
export async function forgetAgents(
  { db, readModel, agentKeys, erasure }: ForgetAgents,
  session: ClientSession,
): Promise<void> {
  if (agentKeys.size === 0) return;
  const keys = [...agentKeys];
  const behind = await mongoCheckpoints(db).holdBehind(memoryReadModel, erasure, session);
  for (const { collections, vectors } of await versionsOf(readModel, behind)) {
    await deleteRows(collections, keys, session);
    await vectors.removeAgents(keys);
  }
}

async function versionsOf(readModel: ReadModel, versions: readonly number[]): Promise<ReadModel[]> {
  const others = versions.filter((version) => version !== readModel.version);
  return [readModel, ...(await Promise.all(others.map(readModel.sibling)))];
}

/** Links have gone with their units; nothing else finds them by their agent. */
async function deleteRows(collections: MemoryCollections, keys: string[], session: ClientSession): Promise<void> {
  const { agents, operations, documents, units, entities, linkCounts } = collections;
  const ofAgents = { agentKey: { $in: keys } };
  for (const rows of [operations, documents, units, entities]) {
    await (rows as unknown as Collection<{ agentKey: string }>).deleteMany(ofAgents, { session });
  }
  await linkCounts.deleteMany({ _id: { $in: keys } }, { session });
  await agents.deleteMany({ _id: { $in: keys } }, { session });
}
