import { partitionOf } from '@mneme/contracts';
import type { LexicalEncoder } from '@mneme/models';
import type { ClientSession, MongoClient } from 'mongodb';
import type { MemoryContents } from '../read-model/memory-contents.ts';
import { removalId } from '../read-model/removals.ts';
import type { MemoryCollections, StoredOperation, StoredRemoval } from '../read-model/rows.ts';
import { loadWorkingSet, type NewUnit, type WorkingSet } from '../read-model/working-set.ts';
import { fold } from './apply-event.ts';
import { derive } from './derive.ts';
import type { LaneRemovals } from './lane-removals.ts';
import type { RecentRows } from './load-rows.ts';
import type { Segment } from './segments.ts';
import { pointOf } from './unit-point.ts';
import { writeRows } from './write-rows.ts';

export interface SegmentContext {
  readonly client: MongoClient;
  readonly contents: MemoryContents;
  readonly lexical: LexicalEncoder;
  readonly recent: RecentRows;
  readonly removals: LaneRemovals;
}

/** Documents with more units than this are removed in pieces, after the event that replaces or deletes them. */
const maxUnitsAtOnce = 100;

/**
 * Folds events over the rows that they touch, derives what follows, and writes it.
 * @param commit runs the writes in a transaction with the checkpoint
 * @returns the operations that were written
 */
export async function applySegment(
  context: SegmentContext,
  events: Segment,
  commit: (write: (session: ClientSession) => Promise<void>) => Promise<void>,
): Promise<readonly StoredOperation[]> {
  const { client, contents, recent, removals } = context;
  const { collections } = contents;
  const set = await loadWorkingSet(collections, events, recent);
  for (const event of events) fold(set, event);
  const written = events.at(-1)?.position.sequence ?? 0;
  const begun = await removeStored(context, set, events[0]?.position.sequence ?? 0);
  const writeVectors = (units: readonly NewUnit[]) =>
    contents.vectors.upsert(
      units.map((unit) => pointOf(unit, context.lexical)),
      written,
    );
  const derived = await derive(set, { ...contents, removals, begun, gone: set.goneUnits, writeVectors });
  const vectors = writeVectors([...set.newUnits.values()]);
  // Awaited by the transaction; until then a failure is not to end the process.
  vectors.catch(() => undefined);
  try {
    await commit(async (session) => {
      await beginRemovals(collections, set, begun, session);
      await writeRows(client, collections, { set, derived }, session);
      await vectors;
    });
  } finally {
    // Nothing is written any more when this is over.
    await vectors.catch(() => undefined);
  }
  recent.remember(set);
  removals.add(begun);
  return [...set.operations.values()];
}

/**
 * Finds what the events replace, delete and erase. Units of small documents go at once, and are out of the vector index
 * before anything is compared with them; everything else is removed later, and left out until then.
 * @param firstSequence of the segment; younger units are not meant
 * @returns the removals that begin with this segment
 */
async function removeStored(
  { contents }: SegmentContext,
  set: WorkingSet,
  firstSequence: number,
): Promise<StoredRemoval[]> {
  const { collections, vectors } = contents;
  const begun: StoredRemoval[] = [];
  for (const { agentKey, space } of set.erasedAgents.values())
    begun.push(removal(space, agentKey, null, firstSequence));
  for (const rowId of set.replacedDocuments) {
    const [agentKey = '', documentKey = ''] = rowId.split(':');
    const filter = { agentKey, documentKey, sequence: { $lt: firstSequence } };
    const found = await collections.units
      .find(filter, { projection: { space: 1 } })
      .limit(maxUnitsAtOnce + 1)
      .toArray();
    if (found.length > maxUnitsAtOnce) begun.push(removal(found[0]?.space ?? '', agentKey, documentKey, firstSequence));
    else for (const { _id } of found) set.goneUnits.add(_id);
  }
  // A unit that comes again in other words is newer than what is removed here.
  await vectors.remove([...set.goneUnits], firstSequence);
  return begun;
}

function removal(space: string, agentKey: string, documentKey: string | null, before: number): StoredRemoval {
  return { _id: removalId(agentKey, documentKey), lane: partitionOf(agentKey), space, agentKey, documentKey, before };
}

async function beginRemovals(
  { removals, agents, linkCounts }: MemoryCollections,
  set: WorkingSet,
  begun: readonly StoredRemoval[],
  session: ClientSession,
): Promise<void> {
  for (const { _id, ...row } of begun) await removals.replaceOne({ _id }, row, { session, upsert: true });
  const erased = [...set.erasedAgents.keys()];
  if (erased.length === 0) return;
  await agents.deleteMany({ _id: { $in: erased } }, { session });
  await linkCounts.deleteMany({ _id: { $in: erased } }, { session });
}
