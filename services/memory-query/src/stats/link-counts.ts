import { chunks } from '@mneme/workers/chunks';
import type { TimedRead } from '../read-model/mongo-queries.ts';
import { type Link, linkIndexes, linkTypes } from '../read-model/rows.ts';
import type { Snapshot } from '../read-model/snapshot.ts';

/** Whose links are looked up in one query: each row with links to several of them is read once for all. */
const unitsAtOnce = 10_000;

type LinkCounts = Partial<Record<Link['type'], number>>;

/**
 * How many links of each type an agent has, without those of units that are being removed, which are stored and counted until
 * then. Types without a link are left out.
 * @param removed the ids of these units
 */
export async function countLinks(
  snapshot: Snapshot,
  agentKey: string,
  removed: ReadonlySet<string>,
  inTime: TimedRead,
): Promise<Record<string, number>> {
  const { collections, session } = snapshot;
  const stored = await inTime((time) => collections.linkCounts.findOne({ _id: agentKey }, { session, ...time }));
  const gone = await countRemovedLinks(snapshot, removed, inTime);
  const present = linkTypes.map((type) => [type, (stored?.[type] ?? 0) - (gone[type] ?? 0)] as const);
  return Object.fromEntries(present.filter(([, count]) => count > 0));
}

async function countRemovedLinks(
  { collections: { links }, session }: Snapshot,
  removed: ReadonlySet<string>,
  inTime: TimedRead,
): Promise<LinkCounts> {
  const counts = { temporal: 0, semantic: 0, entity: 0 };
  for (const chunk of chunks([...removed], unitsAtOnce)) {
    const some = { $in: chunk };
    const toOlder = [
      { $match: { _id: some } },
      { $unwind: '$links' },
      { $group: { _id: { type: '$links.type' }, count: { $sum: 1 } } },
    ];
    // The links of a removed unit are counted with its own row.
    const toNewer = [
      { $match: { 'links.from': some, _id: { $nin: chunk } } },
      { $unwind: '$links' },
      { $match: { 'links.from': some } },
      { $group: { _id: { type: '$links.type', of: '$_id' }, count: { $sum: 1 } } },
    ];
    const reads = [
      { stages: toOlder, hint: { _id: 1 } },
      // Where no other unit links to these, MongoDB would rather read the rows of all agents.
      { stages: toNewer, hint: linkIndexes.from },
    ] as const;
    for (const { stages, hint } of reads) {
      const groups = await inTime((time) => links.aggregate<Group>([...stages], { hint, session, ...time }).toArray());
      for (const { _id, count } of groups) if (!_id.of || !removed.has(_id.of)) counts[_id.type] += count;
    }
  }
  return counts;
}

interface Group {
  /** `of` names the newer unit. */
  readonly _id: { readonly type: Link['type']; readonly of?: string };
  readonly count: number;
}
