import { type Removals, unitsOf } from '../read-model/removals.ts';
import type { MemoryCollections, StoredLink } from '../read-model/rows.ts';

const unitsAtOnce = 1_000;
/** So many come in one answer, which is read while nothing else runs. */
const linksAtOnce = 500;

interface Group {
  readonly _id: StoredLink['type'];
  readonly links: number;
}

/** How many links of each type go with what is being removed; they are stored and counted until then. */
export async function countRemovedLinks(
  { units, links }: MemoryCollections,
  removals: Removals,
): Promise<Partial<Record<StoredLink['type'], number>>> {
  const counts: Partial<Record<StoredLink['type'], number>> = {};
  if (removals.length === 0) return counts;
  const rows = await units.find({ $or: removals.map(unitsOf) }, { projection: { _id: 1 } }).toArray();
  const ids = rows.map(({ _id }) => _id);
  const removed = new Set(ids);
  const count = (type: StoredLink['type'], more = 1) => {
    counts[type] = (counts[type] ?? 0) + more;
  };
  const byType = { $group: { _id: '$type', links: { $sum: 1 } } };
  for (let start = 0; start < ids.length; start += unitsAtOnce) {
    const some = { $in: ids.slice(start, start + unitsAtOnce) };
    const going = await links.aggregate<Group>([{ $match: { from: some } }, byType]).toArray();
    for (const { _id: type, links: more } of going) count(type, more);
    // A link between two of them is counted at its other end.
    const others = links.find({ to: some }, { projection: { _id: 0, type: 1, from: 1 }, batchSize: linksAtOnce });
    for await (const { type, from } of others) if (!removed.has(from)) count(type);
  }
  return counts;
}
