import type { MemoryCollections, StoredLink } from '../read-model/collections.ts';
import { type Removals, unitsOf } from '../removal/removals.ts';

const unitsAtOnce = 1_000;

/** How many links of each type go with what is being removed; they are stored and counted until then. */
export async function countRemovedLinks(
  { units, links }: MemoryCollections,
  removals: Removals,
): Promise<Partial<Record<StoredLink['type'], number>>> {
  const counts: Partial<Record<StoredLink['type'], number>> = {};
  if (removals.length === 0) return counts;
  const rows = await units.find({ $or: removals.map(unitsOf) }, { projection: { _id: 1 } }).toArray();
  const removed = new Set(rows.map(({ _id }) => _id));
  const count = (type: StoredLink['type']) => {
    counts[type] = (counts[type] ?? 0) + 1;
  };
  const ids = [...removed];
  for (let start = 0; start < ids.length; start += unitsAtOnce) {
    const some = { $in: ids.slice(start, start + unitsAtOnce) };
    const fields = { projection: { _id: 0, type: 1, from: 1 } };
    for await (const { type } of links.find({ from: some }, fields)) count(type);
    // A link between two of them is counted at its other end.
    for await (const { type, from } of links.find({ to: some }, fields)) if (!removed.has(from)) count(type);
  }
  return counts;
}
