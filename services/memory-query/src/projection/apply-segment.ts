import { partitionOf } from '@mneme/contracts';
import type { LexicalEncoder } from '@mneme/models';
import type { ClientSession, MongoClient } from 'mongodb';
import type { MemoryContents } from '../read-model/read-model.ts';
import { removalId } from '../read-model/removals.ts';
import type { MemoryCollections, StoredOperation, StoredRemoval } from '../read-model/rows.ts';
import type { NewUnit, WorkingSet } from '../read-model/working-set.ts';
import { applyEvent } from './apply-event.ts';
import { derive } from './derive.ts';
import type { LaneRemovals } from './lane-removals.ts';
import { loadWorkingSet, type RecentRows } from './load-rows.ts';
import type { Segment } from './segments.ts';
import { pointOf } from './unit-vectors.ts';
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
 * Applies events to the rows that they affect, derives links and entities, and writes the result.
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
  for (const event of events) applyEvent(set, event);
  const written = events.at(-1)?.position.sequence ?? 0;
  const begun = await removeStored(context, set, events[0]?.position.sequence ?? 0);
  const writeVectors = (units: readonly NewUnit[]) =>
    contents.vectors.upsert(
      units.map((unit) => pointOf(unit, context.lexical)),
      written,
    );
  const derived = await derive(set, { ...contents, removals, begun, gone: set.goneUnits, writeVectors });
  const vectors = writeVectors([...set.newUnits.values()]);
  // Awaited in the transaction; until then a rejection must not end the process.
  vectors.catch(() => undefined);
  try {
    await commit(async (session) => {
      await beginRemovals(collections, set, begun, session);
      await writeRows(client, collections, { set, derived }, session);
      await vectors;
    });
  } finally {
    // Nothing may be written any more after this function has returned.
    await vectors.catch(() => undefined);
  }
  recent.remember(set);
  removals.add(begun);
  return [...set.operations.values()];
}

/**
 * Finds what the events replace, delete and erase. Units of small documents are removed at once, from the vector index even
 * before anything is compared with them. Everything else is removed later and excluded from every answer until then.
 * @param firstSequence of the segment; only units of earlier events are removed
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
  // A reworded unit keeps its id, and its new point has a greater sequence than the point that is removed here.
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
