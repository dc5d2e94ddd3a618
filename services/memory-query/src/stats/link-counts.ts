import { isDeepStrictEqual } from 'node:util';
import { chunks } from '@mneme/workers/chunks';
import { eachLink } from '../read-model/link-rows.ts';
import { type Removals, unitsOf } from '../read-model/removals.ts';
import { type Link, linkTypes, type MemoryCollections, type StoredLinkCounts } from '../read-model/rows.ts';

type LinkCounts = Partial<Record<Link['type'], number>>;

/**
 * How many links of each type an agent has; types without a link are left out.
 * @param removed how many of the counted links are being removed
 */
function presentLinks(counts: StoredLinkCounts | null, removed: LinkCounts = {}): Record<string, number> {
  const countOf = (type: Link['type']) => (counts?.[type] ?? 0) - (removed[type] ?? 0);
  const present = linkTypes.map((type) => [type, countOf(type)] as const).filter(([, count]) => count > 0);
  return Object.fromEntries(present);
}

/** How often links are counted while each time some of them are removed or added. */
const mostCounts = 5;

/** How many links of each type an agent has, without those that pending removals will remove. */
export async function countLinks(
  collections: MemoryCollections,
  removals: Removals,
  agentKey: string,
): Promise<Record<string, number>> {
  const counted = () => collections.linkCounts.findOne({ _id: agentKey });
  let before = await counted();
  for (let attempt = 1; removals.length > 0; attempt += 1) {
    const removed = await countRemovedLinks(collections, removals);
    const after = await counted();
    // A step of a removal changes the count and the rows at once, and both have to be read on the same side of it.
    if (attempt === mostCounts || isDeepStrictEqual(before, after)) return presentLinks(after, removed);
    before = after;
  }
  return presentLinks(before);
}

/** How many units are looked up in one query. */
const unitsAtOnce = 1_000;
/** How many links the driver decodes at a time, which blocks the event loop. */
const linksAtOnce = 500;

interface Group {
  readonly _id: Link['type'];
  readonly links: number;
}

/** How many links of each type the pending removals will remove; until then they are stored and counted. */
async function countRemovedLinks({ units, links }: MemoryCollections, removals: Removals): Promise<LinkCounts> {
  const counts: Record<Link['type'], number> = { temporal: 0, semantic: 0, entity: 0 };
  const removed = new Set<string>();
  const rows = units.find({ $or: removals.map(unitsOf) }, { projection: { _id: 1 }, batchSize: unitsAtOnce });
  for await (const { _id } of rows) removed.add(_id);
  const byType = { $group: { _id: '$type', links: { $sum: 1 } } };
  for (const chunk of chunks([...removed], unitsAtOnce)) {
    const some = { $in: chunk };
    const groups = await links.aggregate<Group>([{ $match: { _id: some } }, ...eachLink, byType]).toArray();
    for (const { _id: type, links } of groups) counts[type] += links;
    const toNewer = [{ $match: { 'links.from': some } }, ...eachLink, { $match: { from: some } }];
    const stages = [...toNewer, { $project: { type: 1, to: 1 } }];
    const others = links.aggregate<Pick<Link, 'type' | 'to'>>(stages, { batchSize: linksAtOnce });
    // The links of a removed unit are counted with its own row.
    for await (const { type, to } of others) if (!removed.has(to)) counts[type] += 1;
  }
  return counts;
}
