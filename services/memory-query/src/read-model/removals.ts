import type { Filter, FindOptions } from 'mongodb';
import type { MemoryCollections, StoredRemoval, StoredUnit } from './rows.ts';

/**
 * Units that no longer exist for any reader, although they may still be stored: those of a document that was replaced or
 * deleted, and those of an erased agent. They are deleted step by step, and every query excludes them until then.
 */
export type Removals = readonly StoredRemoval[];

/** The pending removals of a space or of one of its agents. */
export function findRemovals(
  { removals }: MemoryCollections,
  of: { space: string; agentKey?: string },
  options: Pick<FindOptions, 'session'> = {},
): Promise<StoredRemoval[]> {
  const { space, agentKey } = of;
  return removals.find(agentKey === undefined ? { space } : { space, agentKey }, options).toArray();
}

/** The part of a filter on units that excludes what is being removed. */
export function notRemoved(removals: Removals): Filter<StoredUnit> {
  return removals.length === 0 ? {} : { $nor: removals.map(unitsOf) };
}

/** A filter for the units that a removal deletes. */
export function unitsOf({ agentKey, documentKey, before }: StoredRemoval): Filter<StoredUnit> {
  const earlier = { $lt: before };
  return documentKey === null ? { agentKey, sequence: earlier } : { agentKey, documentKey, submitted: earlier };
}

/**
 * A filter for the units that pending removals delete and that meet a condition. With the index `ofDocument` no other rows are
 * read. Until the removal of an erased agent ends, nothing else is stored of it.
 */
export function removedUnits(removals: Removals, condition: Filter<StoredUnit> = {}): Filter<StoredUnit> {
  if (removals.length === 0) return { agentKey: { $in: [] } };
  const ofRemoval = (each: StoredRemoval) => (each.documentKey === null ? { agentKey: each.agentKey } : unitsOf(each));
  return { $or: removals.map((each) => ({ $and: [ofRemoval(each), condition] })) };
}

/** The fields of a unit by which `isRemoved` decides. */
export const removalFields = { agentKey: 1, documentKey: 1, sequence: 1, submitted: 1 } as const;

/** Whether a stored unit is being removed. */
export function isRemoved(
  { agentKey, documentKey, sequence, submitted }: Pick<StoredUnit, keyof typeof removalFields>,
  removals: Removals,
): boolean {
  return removals.some(
    (each) =>
      each.agentKey === agentKey &&
      (each.documentKey === null
        ? sequence < each.before
        : each.documentKey === documentKey && submitted < each.before),
  );
}

/** The keys of the agents that are being removed entirely. */
export function erasedAgents(removals: Removals): string[] {
  return removals.filter(({ documentKey }) => documentKey === null).map(({ agentKey }) => agentKey);
}

/** The id of the removal of a document's units, or of everything of an agent. */
export function removalId(agentKey: string, documentKey: string | null): string {
  return documentKey === null ? agentKey : `${agentKey}:${documentKey}`;
}
