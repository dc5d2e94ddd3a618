import { findRemovals, isRemoved } from '../read-model/removals.ts';
import type { MemoryCollections } from '../read-model/rows.ts';

/** Whose the unit is; null when the space has no such unit. */
export async function findUnit(
  collections: MemoryCollections,
  { space, unitId }: { space: string; unitId: string },
): Promise<{ agentId: string | null }> {
  const fields = { projection: { agentId: 1, agentKey: 1, documentKey: 1, sequence: 1 } };
  const unit = await collections.units.findOne({ _id: unitId.toLowerCase(), space }, fields);
  if (!unit) return { agentId: null };
  const removals = await findRemovals(collections, { space, agentKey: unit.agentKey });
  return { agentId: isRemoved(unit, removals) ? null : unit.agentId };
}
