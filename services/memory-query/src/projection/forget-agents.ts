import { mongoCheckpoints } from '@mneme/event-store';
import type { ClientSession, Collection, Db } from 'mongodb';
import type { MemoryCollections } from '../read-model/collections.ts';
import { memoryReadModel, type ReadModel } from '../read-model/open-read-model.ts';

export interface ForgetDeps {
  readonly db: Db;
  readonly readModel: ReadModel;
}

/** Agents, by their keys, and the sequence of their erasure; nothing after it is touched. */
export interface Erasure {
  readonly agentKeys: ReadonlySet<string>;
  readonly sequence: number;
}

/** So many units go at once with their links. */
const unitsAtOnce = 1_000;
/** Of an agent with more units, the projection leaves the rest for later: others are not to wait for minutes. */
export const unitsWhileOthersWait = 2_000;

/**
 * Takes the units of agents out, with their links, oldest version of the read model or not. It needs no transaction: it can
 * be repeated, and does not touch what an agent of the same name has stored since the erasure.
 * @returns false when there are more than `maxUnits`, and some are left
 */
export async function forgetUnits(
  { db, readModel }: ForgetDeps,
  { agentKeys, sequence }: Erasure,
  maxUnits = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  if (agentKeys.size === 0) return true;
  const behind = await mongoCheckpoints(db).findBehind(memoryReadModel, sequence);
  const filter = { agentKey: { $in: [...agentKeys] }, sequence: { $lt: sequence } };
  let left = maxUnits;
  for (const { collections } of await versionsOf(readModel, behind)) {
    for (let isMore = true; isMore; left -= unitsAtOnce) {
      if (left <= 0) return false;
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
  return true;
}

/**
 * Takes everything but units out of the read model, within the transaction of the session: only the projector whose turn it
 * is gets here, so that nothing which an agent of the same name has stored since can go with it.
 *
 * Other versions of the read model that have not come as far are emptied too. One that was left behind when a newer took
 * its place never would be, and one that is being filled comes to the erasure itself.
 * @param hasUnits whether units are left, which is written down until they are gone
 */
export async function forgetAgents(
  { db, readModel }: ForgetDeps,
  { agentKeys, sequence }: Erasure,
  hasUnits: boolean,
  session: ClientSession,
): Promise<void> {
  if (agentKeys.size === 0) return;
  const keys = [...agentKeys];
  const behind = await mongoCheckpoints(db).holdBehind(memoryReadModel, sequence, session);
  for (const { collections, vectors } of await versionsOf(readModel, behind)) {
    await deleteRows(collections, keys, session);
    await vectors.removeAgents(keys);
  }
  if (!hasUnits) return;
  for (const _id of keys) {
    await readModel.collections.erasures.updateOne({ _id }, { $set: { sequence } }, { session, upsert: true });
  }
}

/**
 * Takes out the units that erasures have left; of all agents, or of some. Whoever wants to be sure that an agent is
 * forgotten, or is about to store something under its name, does this first.
 */
export async function finishErasures(deps: ForgetDeps, agentKeys?: readonly string[]): Promise<void> {
  const { erasures } = deps.readModel.collections;
  const unfinished = await erasures.find(agentKeys ? { _id: { $in: [...agentKeys] } } : {}).toArray();
  for (const { _id, sequence } of unfinished) {
    await forgetUnits(deps, { agentKeys: new Set([_id]), sequence });
    await erasures.deleteOne({ _id, sequence });
  }
}

async function versionsOf(readModel: ReadModel, versions: readonly number[]): Promise<ReadModel[]> {
  const others = versions.filter((version) => version !== readModel.version);
  return [readModel, ...(await Promise.all(others.map(readModel.sibling)))];
}

async function deleteRows(collections: MemoryCollections, keys: string[], session: ClientSession): Promise<void> {
  const { agents, operations, documents, entities, linkCounts } = collections;
  const ofAgents = { agentKey: { $in: keys } };
  for (const rows of [operations, documents, entities]) {
    await (rows as unknown as Collection<{ agentKey: string }>).deleteMany(ofAgents, { session });
  }
  await linkCounts.deleteMany({ _id: { $in: keys } }, { session });
  await agents.deleteMany({ _id: { $in: keys } }, { session });
}
