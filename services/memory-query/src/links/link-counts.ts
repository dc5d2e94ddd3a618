import type { ClientSession } from 'mongodb';
import { linkTypes, type MemoryCollections, type StoredLink, type StoredLinkCounts } from '../read-model/rows.ts';

type Counts = Record<StoredLink['type'], number>;

/** By how much the numbers of links of some agents change, by agent key. */
export type LinkCountChanges = ReadonlyMap<string, Counts>;

/**
 * Counts what a batch of events adds and takes, since counting millions of links takes a second.
 * @param gone units whose links go; they are still stored, as the session's transaction sees it
 */
export async function linkCountChanges(
  collections: MemoryCollections,
  added: readonly StoredLink[],
  gone: ReadonlySet<string>,
  session: ClientSession,
): Promise<LinkCountChanges> {
  const changes = new Map<string, Counts>();
  const count = (agentKey: string, type: StoredLink['type'], by: number) => {
    const counts = changes.get(agentKey) ?? { temporal: 0, semantic: 0, entity: 0 };
    changes.set(agentKey, { ...counts, [type]: counts[type] + by });
  };
  for (const { agentKey, type } of added) count(agentKey, type, 1);
  for (const { _id, links } of await countLinksOf(collections, gone, session)) count(_id.agentKey, _id.type, -links);
  return changes;
}

/**
 * How many links of each type an agent has; types that do not occur are left out.
 * @param removed how many of the counted ones are being removed
 */
export function presentLinks(
  counts: StoredLinkCounts | null,
  removed: Partial<Record<StoredLink['type'], number>> = {},
): Record<string, number> {
  const countOf = (type: StoredLink['type']) => (counts?.[type] ?? 0) - (removed[type] ?? 0);
  const present = linkTypes.map((type) => [type, countOf(type)] as const).filter(([, count]) => count > 0);
  return Object.fromEntries(present);
}

interface Group {
  readonly _id: Pick<StoredLink, 'agentKey' | 'type'>;
  readonly links: number;
}

async function countLinksOf({ links }: MemoryCollections, unitIds: ReadonlySet<string>, session: ClientSession) {
  if (unitIds.size === 0) return [];
  const among = { $in: [...unitIds] };
  return links
    .aggregate<Group>(
      [
        { $match: { $or: [{ from: among }, { to: among }] } },
        { $group: { _id: { agentKey: '$agentKey', type: '$type' }, links: { $sum: 1 } } },
      ],
      { session },
    )
    .toArray();
}
