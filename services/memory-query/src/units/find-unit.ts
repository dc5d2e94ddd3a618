import type { MemoryCollections } from '../read-model/collections.ts';

/** Whose the unit is; null when the space has no such unit. */
export async function findUnit(
  { units }: MemoryCollections,
  { space, unitId }: { space: string; unitId: string },
): Promise<{ agentId: string | null }> {
  const unit = await units.findOne({ _id: unitId.toLowerCase(), space }, { projection: { agentId: 1 } });
  return { agentId: unit?.agentId ?? null };
}
