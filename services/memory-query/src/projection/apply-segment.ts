import { agentKey, partitionOf } from '@mneme/contracts';
import type { LexicalEncoder } from '@mneme/models';
import type { Batch, GiveWay } from '@mneme/read-models';
import { mapInSlices } from '@mneme/workers/time-slices';
import type { ClientSession, MongoClient } from 'mongodb';
import type { NewestUnits } from '../links/newest-units.ts';
import type { StoredContents } from '../read-model/read-model.ts';
import type { ChangedUnits } from '../read-model/remembered.ts';
import { removalId } from '../read-model/removals.ts';
import type { MemoryCollections, StoredRemoval, Unit } from '../read-model/rows.ts';
import type { UnitWithVector, WorkingSet } from '../read-model/working-set.ts';
import type { AdaptiveBatchSize } from './adaptive-batch-size.ts';
import { applyEvent } from './apply-event.ts';
import { countTokens } from './count-tokens.ts';
import { type Derived, derive, maxExcluded } from './derive.ts';
import { deriveLate, lateUnits } from './derive-late.ts';
import { type LaneRemovals, linkRowsAtOnce } from './lane-removals.ts';
import { loadWorkingSet, type RecentRows } from './load-rows.ts';
import { rewritePassages } from './rewrite-passages.ts';
import type { Segment } from './segments.ts';
import { pointOf } from './unit-vectors.ts';
import { writeRows } from './write-rows.ts';

export interface SegmentContext {
  readonly client: MongoClient;
  readonly contents: StoredContents;
  readonly lexical: LexicalEncoder;
  readonly recent: RecentRows;
  readonly newest: NewestUnits;
  readonly removals: LaneRemovals;
  readonly upsertBatch: AdaptiveBatchSize;
  /** Of the batch. */
  readonly giveWay?: GiveWay | undefined;
  readonly assertHeld: Batch<never>['assertHeld'];
}

/** What was written. */
export interface Applied {
  readonly set: WorkingSet;
  readonly changed: ChangedUnits;
}

/** How many points are written at a time while no question comes: about what fits into one request. */
const pointsAtOnce = 100;
/**
 * Documents with more units than this, or with units that more other units lead to, are removed in pieces, after the event
 * that replaces or deletes them.
 */
const maxUnitsAtOnce = 100;

/**
 * Applies events to the rows that they affect, derives links and entities, and writes the result.
 * @param commit runs the writes in a transaction with the checkpoint
 */
export async function applySegment(
  context: SegmentContext,
  events: Segment,
  commit: (write: (session: ClientSession) => Promise<void>) => Promise<void>,
): Promise<Applied> {
  const { client, contents, recent, newest, removals, upsertBatch, giveWay, assertHeld } = context;
  const { collections } = contents;
  const loaded = await loadWorkingSet(collections, events, recent);
  const set = { ...loaded, tokens: await countTokens(events) };
  for (const event of events) applyEvent(set, event);
  const written = events.at(-1)?.position.sequence ?? 0;
  const firstSequence = events[0]?.position.sequence ?? 0;
  const begun = await removeStored(context, set, firstSequence);
  // A reworded unit keeps its id, and its new point has a greater sequence than the point that is removed here.
  const removePoints = (ids: Iterable<string>) => contents.vectors.remove([...ids], firstSequence);
  const areExcluded = set.goneUnits.size <= maxExcluded;
  const goneInIndex = areExcluded ? [...set.goneUnits] : [];
  if (!areExcluded) await removePoints(set.goneUnits);
  await rewritePassages(collections, set, (agentKey) => removals.of(agentKey));
  const lastOf = lastSequences(events);
  const writeVectors = async (units: readonly UnitWithVector[]) => {
    const toPoint = (each: UnitWithVector) => pointOf(each, lastOf.get(each.unit.agentKey) ?? 0, context.lexical);
    for (let start = 0; start < units.length; ) {
      const size = giveWay ? upsertBatch.size : pointsAtOnce;
      const points = await mapInSlices(units.slice(start, start + size), toPoint);
      assertHeld();
      const begin = performance.now();
      await contents.vectors.upsert(points);
      upsertBatch.note(points.length, performance.now() - begin);
      start += size;
      await giveWay?.();
    }
  };
  const deps = { ...contents, removals, newest, begun, gone: set.goneUnits, goneInIndex, writeVectors, giveWay };
  await giveWay?.();
  // A segment has either new units or vectors of stored ones.
  const derived = await (set.lateVectors.size > 0 ? deriveLate(set, deps) : derive(set, deps));
  await giveWay?.();
  const vectors = writePoints(contents, set, { written, writeVectors });
  // Awaited in the transaction; until then a rejection must not end the process.
  vectors.catch(() => undefined);
  if (giveWay) await vectors;
  try {
    await commit(async (session) => {
      await beginRemovals(collections, set, begun, session);
      await writeRows({ client, collections, giveWay }, { set, derived }, session);
      await vectors;
      // Last, so that until the commit a search finds what these events replace, also while they are tried again.
      if (goneInIndex.length > 0) assertHeld();
      await removePoints(goneInIndex);
    });
  } finally {
    // Nothing may be written any more after this function has returned.
    await vectors.catch(() => undefined);
  }
  recent.remember(set);
  newest.remember(set, begun);
  removals.add(begun);
  return { set, changed: changedUnits(set, derived, begun) };
}

/**
 * The last event of each agent. The events of another one may be those of another lane, which is ahead: with its sequence,
 * the next events of this agent would seem to be older than what is stored.
 */
function lastSequences(events: Segment): ReadonlyMap<string, number> {
  const own = events.flatMap((event) => (event.type === 'AgentErased' ? [] : [event]));
  return new Map(own.map((event) => [agentKey(event.data), event.position.sequence]));
}

function changedUnits(
  { newUnits, goneUnits, goneTurns, confidences, erasedAgents }: WorkingSet,
  { links, repetitions }: Derived,
  begun: readonly StoredRemoval[],
): ChangedUnits {
  return {
    units: [...newUnits.keys(), ...repetitions.keys(), ...confidences.keys()],
    linked: links.flatMap(({ from, to }) => [from, to]),
    hasRemovals: goneUnits.size + goneTurns.length + erasedAgents.size + begun.length > 0,
  };
}

/** Units that were found to repeat others are removed; they were written by earlier events. */
async function writePoints(
  { vectors }: StoredContents,
  set: WorkingSet,
  { written, writeVectors }: { written: number; writeVectors: (units: readonly UnitWithVector[]) => Promise<void> },
): Promise<void> {
  // Such a unit never comes back, so it does not matter whose event is the last one.
  const repeated = [...set.lateVectors.keys()].filter((id) => set.goneUnits.has(id));
  if (repeated.length > 0) await vectors.remove(repeated, written + 1);
  await writeVectors([...set.newUnits.values(), ...lateUnits(set), ...set.unitsWithNewPassage.values()]);
}

/**
 * Finds what the events replace, delete and erase. Units of small documents are removed with the new rows; nothing is compared
 * with them. Everything else is removed later and excluded from every answer until then.
 * @param firstSequence of the segment; only units of earlier events are removed
 * @returns the removals that begin with this segment
 */
async function removeStored(
  { contents }: SegmentContext,
  set: WorkingSet,
  firstSequence: number,
): Promise<StoredRemoval[]> {
  const { collections } = contents;
  const begun: StoredRemoval[] = [];
  for (const { agentKey, space } of set.erasedAgents.values())
    begun.push(removal(space, agentKey, null, firstSequence));
  for (const [rowId, before] of set.replacedDocuments) {
    const [agentKey = '', documentKey = ''] = rowId.split(':');
    const filter = { agentKey, documentKey, submitted: { $lt: before } };
    const fields = { projection: { space: 1 }, limit: maxUnitsAtOnce + 1 };
    const [units, turns] = await Promise.all([
      collections.units.find(filter, fields).toArray(),
      collections.turns.find(filter, fields).toArray(),
    ]);
    if (units.length > maxUnitsAtOnce || turns.length > maxUnitsAtOnce || (await haveManyLinks(collections, units))) {
      begun.push(removal((units[0] ?? turns[0])?.space ?? '', agentKey, documentKey, before));
    } else {
      for (const { _id } of units) set.goneUnits.add(_id);
      if (turns.length > 0) set.goneTurns.push({ agentKey, documentKey, before });
    }
  }
  return begun;
}

/** Whether more units link to these than are changed in one transaction. */
async function haveManyLinks({ links }: MemoryCollections, units: readonly Pick<Unit, '_id'>[]): Promise<boolean> {
  const ids = units.map(({ _id }) => _id);
  if (ids.length === 0) return false;
  const linking = { 'links.from': { $in: ids }, _id: { $nin: ids } };
  const found = await links.find(linking, { projection: { _id: 1 }, limit: linkRowsAtOnce + 1 }).toArray();
  return found.length > linkRowsAtOnce;
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
