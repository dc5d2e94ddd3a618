import { isRemoved } from '../read-model/removals.ts';
import { unitId } from '../read-model/row-ids.ts';
import type { MemoryCollections, StoredRemoval, Unit } from '../read-model/rows.ts';
import type { ChangedPassage, UnitWithVector, WorkingSet } from '../read-model/working-set.ts';
import { passageText } from '../units/passages.ts';

/**
 * Gives the passages of corrected, reworded and forgotten units the text of the units that are left, so that no search
 * finds them by words that are gone. The first of them keeps the text. Must run before anything is derived.
 * @param removalsOf the pending removals of an agent; what they remove stays as it is
 */
export async function rewritePassages(
  collections: Pick<MemoryCollections, 'units'>,
  set: WorkingSet,
  removalsOf: (agentKey: string) => Promise<readonly StoredRemoval[]>,
): Promise<void> {
  for (const changed of set.changedPassages.values()) {
    const members = await membersOf(collections, set, changed);
    const [first] = members;
    if (!first) continue;
    const removals = await removalsOf(first.unit.agentKey);
    const present = members.filter(({ unit }) => !isRemoved(unit, removals));
    for (const { unit } of members)
      if (!present.some((each) => each.unit._id === unit._id)) set.newUnits.delete(unit._id);
    putText(set, present);
  }
}

/** The units of a passage that still exist, in their order. */
async function membersOf(
  { units }: Pick<MemoryCollections, 'units'>,
  { newUnits, goneUnits }: WorkingSet,
  { operationId, first, last }: ChangedPassage,
): Promise<UnitWithVector[]> {
  const ids = Array.from({ length: last - first + 1 }, (_, index) => unitId(operationId, first + index));
  const stored = ids.filter((id) => !newUnits.has(id) && !goneUnits.has(id));
  const rows = stored.length === 0 ? [] : await units.find({ _id: { $in: stored } }).toArray();
  const byId = new Map<string, UnitWithVector>(
    rows.map(({ vector, ...unit }) => [unit._id, { unit, vector: vector.toString('base64') }]),
  );
  return ids.flatMap((id) => newUnits.get(id) ?? byId.get(id) ?? []);
}

function putText(set: WorkingSet, members: readonly UnitWithVector[]): void {
  const text = passageText(members.map(({ unit }) => unit.text));
  for (const [index, member] of members.entries()) {
    const { unit } = member;
    const own = index > 0 || text === unit.text ? null : text;
    if (own === unit.passage.text) continue;
    const changed: Unit = { ...unit, passage: { ...unit.passage, text: own } };
    const target = set.newUnits.has(unit._id) ? set.newUnits : set.unitsWithNewPassage;
    target.set(unit._id, { ...member, unit: changed });
  }
}
