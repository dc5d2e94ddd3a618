import type { Filter } from 'mongodb';
import type { MemoryCollections, StoredRemoval, StoredUnit } from './rows.ts';

/**
 * Units that are not there any more, although they may still be stored: those of a document that was replaced or deleted,
 * and those of an erased agent. They are removed in pieces; until then every reader leaves them out.
 */
export type Removals = readonly StoredRemoval[];

/** What is being removed in a space, or of one of its agents. */
export function findRemovals(
  { removals }: MemoryCollections,
  of: { space: string; agentKey?: string },
): Promise<StoredRemoval[]> {
  const { space, agentKey } = of;
  return removals.find(agentKey === undefined ? { space } : { space, agentKey }).toArray();
}

/** A part of a filter on units that leaves out what is being removed. */
export function notRemoved(removals: Removals): Filter<StoredUnit> {
  return removals.length === 0 ? {} : { $nor: removals.map(unitsOf) };
}

/** The units that a removal is about. */
export function unitsOf({ agentKey, documentKey, before }: StoredRemoval): Filter<StoredUnit> {
  const sequence = { $lt: before };
  return documentKey === null ? { agentKey, sequence } : { agentKey, documentKey, sequence };
}

/** Whether a stored unit is being removed. */
export function isRemoved(
  { agentKey, documentKey, sequence }: Pick<StoredUnit, 'agentKey' | 'documentKey' | 'sequence'>,
  removals: Removals,
): boolean {
  return removals.some(
    (each) =>
      each.agentKey === agentKey &&
      (each.documentKey === null || each.documentKey === documentKey) &&
      sequence < each.before,
  );
}

/** The agents that are being removed altogether, by their keys. */
export function erasedAgents(removals: Removals): string[] {
  return removals.filter(({ documentKey }) => documentKey === null).map(({ agentKey }) => agentKey);
}

/** The id of the removal of a document's units, or of everything of an agent. */
export function removalId(agentKey: string, documentKey: string | null): string {
  return documentKey === null ? agentKey : `${agentKey}:${documentKey}`;
}
