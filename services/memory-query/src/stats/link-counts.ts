import { type Removals, unitsOf } from '../read-model/removals.ts';
import { linkTypes, type MemoryCollections, type StoredLink, type StoredLinkCounts } from '../read-model/rows.ts';

type LinkCounts = Partial<Record<StoredLink['type'], number>>;

/**
 * How many links of each type an agent has; types without a link are left out.
 * @param removed how many of the counted links are being removed
 */
export function presentLinks(counts: StoredLinkCounts | null, removed: LinkCounts = {}): Record<string, number> {
  const countOf = (type: StoredLink['type']) => (counts?.[type] ?? 0) - (removed[type] ?? 0);
  const present = linkTypes.map((type) => [type, countOf(type)] as const).filter(([, count]) => count > 0);
  return Object.fromEntries(present);
}

/** How many units are looked up in one query. */
const unitsAtOnce = 1_000;
/** How many links the driver decodes at a time, which blocks the event loop. */
const linksAtOnce = 500;

interface Group {
  readonly _id: StoredLink['type'];
  readonly links: number;
}

/** How many links of each type the pending removals will remove; until then they are stored and counted. */
export async function countRemovedLinks({ units, links }: MemoryCollections, removals: Removals): Promise<LinkCounts> {
  const counts: Record<StoredLink['type'], number> = { temporal: 0, semantic: 0, entity: 0 };
  if (removals.length === 0) return counts;
  const rows = await units.find({ $or: removals.map(unitsOf) }, { projection: { _id: 1 } }).toArray();
  const ids = rows.map(({ _id }) => _id);
  const removed = new Set(ids);
  const byType = { $group: { _id: '$type', links: { $sum: 1 } } };
  for (let start = 0; start < ids.length; start += unitsAtOnce) {
    const some = { $in: ids.slice(start, start + unitsAtOnce) };
    const groups = await links.aggregate<Group>([{ $match: { from: some } }, byType]).toArray();
    for (const { _id: type, links } of groups) counts[type] += links;
    // A link between two removed units is counted at its other end.
    const others = links.find({ to: some }, { projection: { _id: 0, type: 1, from: 1 }, batchSize: linksAtOnce });
    for await (const { type, from } of others) if (!removed.has(from)) counts[type] += 1;
  }
  return counts;
}
