import type { GiveWay } from '@mneme/read-models';
import { chunks } from '@mneme/workers/chunks';
import type { Binary, Filter } from 'mongodb';
import { lookupKeys, withoutUnits } from '../entities/entity-book.ts';
import { isRemoved, notRemoved, removalFields } from '../read-model/removals.ts';
import { unitId } from '../read-model/row-ids.ts';
import {
  type MemoryCollections,
  type StoredEntity,
  type StoredRemoval,
  type Unit,
  unitIndexes,
} from '../read-model/rows.ts';
import type { VectorIndex } from '../vectors/vector-index.ts';
import type { OtherUnit } from './derive-links.ts';
import { lastUncompared, linkSettings, nearestCandidates } from './link-settings.ts';
import type { NewestUnits } from './newest-units.ts';
import { type Comparable, cosine } from './similarity.ts';

/** A new unit with its vector. */
export interface EmbeddedUnit {
  readonly unit: Unit;
  readonly vector: Float32Array;
}

/** The stored units and entities around some new units. */
export interface StoredSurroundings {
  /** By new unit: the possibly similar units, with their exact cosine. */
  readonly similar: ReadonlyMap<string, readonly Comparable[]>;
  /** By new unit: the nearest units in time, earlier and later. */
  readonly nearby: ReadonlyMap<string, readonly OtherUnit[]>;
  readonly entities: readonly StoredEntity[];
  /** The ids of neighbours in documents that are stored already. */
  readonly neighbours: ReadonlySet<string>;
}

export interface SurroundingsDeps {
  readonly collections: MemoryCollections;
  readonly vectors: VectorIndex;
  /** From this cosine on, units are similar. */
  readonly linkCosine: number;
  /** Units that this batch of events removes, to which nothing must be linked. */
  readonly gone: ReadonlySet<string>;
  /** Those of them that are still in the vector index. */
  readonly goneInIndex: readonly string[];
  /** Units that are removed for every reader and still stored. */
  readonly removals: readonly StoredRemoval[];
  /** What is remembered of the newest units of agents. */
  readonly newest: NewestUnits;
  /** Of the batch of events. */
  readonly giveWay?: GiveWay | undefined;
  /** How many units the agent has ever had. */
  readonly unitCount: (agentKey: string) => number;
  /** Units of this batch that no search may find yet. */
  readonly unplaced: readonly string[];
  /** Units that are in the vector index but not in the collections yet. */
  readonly unwritten: (id: string) => (Comparable & { readonly vector: Float32Array }) | undefined;
}

const hourMs = 3_600_000;
/** The scores of the vector store are slightly inexact, so its hits are compared again. */
const scoreMargin = 0.001;

/** Reads what is stored around new units, all of it concurrently unless it has to give way to questions. */
export async function readSurroundings(
  deps: SurroundingsDeps,
  units: readonly EmbeddedUnit[],
): Promise<StoredSurroundings> {
  if (deps.giveWay) return readInSteps(deps, units, deps.giveWay);
  const [similar, nearby, entities, neighbours] = await Promise.all([
    readSimilar(deps, units),
    readNearby(deps, units),
    readEntities(deps, units),
    readNeighbours(deps, units),
  ]);
  return { similar, nearby, entities, neighbours };
}

/** How many units are compared in one step, which takes some tens of milliseconds. */
const comparedPerStep = 50;

async function readInSteps(
  deps: SurroundingsDeps,
  units: readonly EmbeddedUnit[],
  giveWay: GiveWay,
): Promise<StoredSurroundings> {
  const similar = new Map<string, readonly Comparable[]>();
  for (const some of chunks(units, comparedPerStep)) {
    const found = await readSimilar(deps, some);
    for (const [id, others] of found) similar.set(id, others);
    await giveWay();
  }
  const [nearby, neighbours] = await Promise.all([readNearby(deps, units), readNeighbours(deps, units)]);
  await giveWay();
  const entities = await readEntities(deps, units);
  await giveWay();
  return { similar, nearby, entities, neighbours };
}

/** The possibly similar units of each unit that has a vector, with their exact cosine. */
export async function readSimilar(
  deps: Omit<SurroundingsDeps, 'newest'>,
  all: readonly EmbeddedUnit[],
): Promise<StoredSurroundings['similar']> {
  const units = all.filter(({ vector }) => vector.length > 0);
  // A reworded unit that was written again is compared by its new point.
  const gone = deps.goneInIndex.filter((id) => !deps.unwritten(id));
  const queries = units.map(({ unit, vector }) => ({
    agentKey: unit.agentKey,
    dense: vector,
    minScore: deps.linkCosine - scoreMargin,
    afterOrdinal: lastUncompared(deps.unitCount(unit.agentKey)),
    exclude: [...deps.unplaced, ...gone],
    removals: deps.removals.filter(({ agentKey }) => agentKey === unit.agentKey),
    repeatedScore: linkSettings.duplicateCosine - scoreMargin,
    around: timeAround(unit.eventDate),
  }));
  const found = await deps.vectors.similar(queries);
  const stored = await readComparables(deps, new Set(found.flat()));
  return new Map(
    units.map(({ unit, vector }, index) => {
      const others = (found[index] ?? []).flatMap((id) => stored.get(id) ?? []);
      return [unit._id, others.map((other) => ({ ...other, cosine: cosine(vector, other.vector) }))];
    }),
  );
}

/** The times of units that a fact may repeat. */
function timeAround(date: Date): { from: number; to: number } {
  const reach = linkSettings.duplicateHours * hourMs;
  return { from: date.getTime() - reach, to: date.getTime() + reach + 1 };
}

/** Decoding more rows with their vectors at a time blocks the event loop for tens of milliseconds. */
const rowsPerRead = 200;

type Stored = Omit<Comparable, 'cosine'> & { readonly vector: Float32Array };

const comparedFields = {
  text: 1,
  factType: 1,
  documentKey: 1,
  submitted: 1,
  entities: 1,
  tags: 1,
  setting: 1,
  ordinal: 1,
  eventDate: 1,
  vector: 1,
} as const;

async function readComparables(
  deps: Omit<SurroundingsDeps, 'newest'>,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Stored>> {
  const unwritten = [...ids].flatMap((id) => deps.unwritten(id) ?? []);
  const known = new Map<string, Stored>(unwritten.map((unit) => [unit._id, unit]));
  const wanted = [...ids].filter((id) => !known.has(id) && !deps.gone.has(id));
  if (wanted.length === 0) return known;
  for (const some of chunks(wanted, rowsPerRead)) {
    const rows = await deps.collections.units.find({ _id: { $in: some } }, { projection: comparedFields }).toArray();
    for (const row of rows) known.set(row._id, { ...row, vector: fromBinary(row.vector) });
  }
  return known;
}

async function readNearby(deps: SurroundingsDeps, units: readonly EmbeddedUnit[]) {
  const byPlace = Map.groupBy(units, ({ unit }) => `${unit.agentKey} ${unit.eventDate.getTime()}`);
  const nearby = new Map<string, readonly OtherUnit[]>();
  const readAround = async (group: readonly EmbeddedUnit[]) => {
    const [first] = group;
    if (!first) return;
    const around = await unitsAround(deps, first.unit);
    for (const { unit } of group) nearby.set(unit._id, around);
  };
  await Promise.all([...byPlace.values()].map(readAround));
  return nearby;
}

type PlaceInTime = Pick<Unit, 'agentKey' | 'eventDate'>;

async function unitsAround(deps: SurroundingsDeps, place: PlaceInTime): Promise<readonly OtherUnit[]> {
  const { agentKey, eventDate } = place;
  const reachMs = linkSettings.temporalHours * hourMs;
  const earliest = new Date(eventDate.getTime() - reachMs);
  const newest = await newestUnits(deps, agentKey);
  const isNewest = newest && (newest[0] === undefined || newest[0].eventDate <= eventDate);
  if (isNewest) return newest.filter((other) => other.eventDate >= earliest);
  const latest = new Date(eventDate.getTime() + reachMs);
  const before = inTime(deps, agentKey, { $gte: earliest, $lte: eventDate }, -1);
  const after = inTime(deps, agentKey, { $gt: eventDate, $lte: latest }, 1);
  return (await Promise.all([before, after])).flat();
}

/** The newest units of an agent, newest first; undefined while some of its units are being removed. */
async function newestUnits(deps: SurroundingsDeps, agentKey: string): Promise<readonly OtherUnit[] | undefined> {
  if (deps.gone.size > 0 || deps.removals.some((each) => each.agentKey === agentKey)) return undefined;
  return deps.newest.of(agentKey, async () => {
    return deps.unitCount(agentKey) === 0 ? [] : inTime(deps, agentKey, undefined, -1);
  });
}

/** The first units of an agent within a time. @param direction 1 for the earliest ones, -1 for the latest ones */
function inTime(
  { collections, gone, removals }: SurroundingsDeps,
  agentKey: string,
  eventDate: Filter<Unit>['eventDate'],
  direction: 1 | -1,
): Promise<OtherUnit[]> {
  const ofAgent = removals.filter((each) => each.agentKey === agentKey);
  const within = eventDate === undefined ? {} : { eventDate };
  const notGone = { ...(gone.size > 0 ? { _id: { $nin: [...gone] } } : {}), ...notRemoved(ofAgent) };
  return collections.units
    .find({ agentKey, ...within, ...notGone }, { projection: { ordinal: 1, eventDate: 1 }, hint: unitIndexes.inTime })
    .sort({ eventDate: direction, ordinal: direction })
    .limit(nearestCandidates)
    .toArray();
}

async function readEntities(deps: SurroundingsDeps, units: readonly EmbeddedUnit[]) {
  const { collections } = deps;
  const byAgent = Map.groupBy(units, ({ unit }) => unit.agentKey);
  const reads = [...byAgent].map(([agentKey, members]) => {
    const keys = members.flatMap(({ unit }) => unit.entities.map(lookupKeys));
    if (keys.length === 0) return [];
    const aliases = { aliases: { $in: keys.map(({ alias }) => alias) } };
    const parts = { parts: { $in: keys.flatMap(({ parts }) => parts) } };
    return collections.entities
      .find({ agentKey, $or: [aliases, parts] })
      .sort({ _id: 1 })
      .toArray();
  });
  return withoutRemoved(deps, (await Promise.all(reads)).flat());
}

/** Entities as they will be when the pending removals are done, without what this batch of events removes. */
async function withoutRemoved(
  { collections, removals, gone }: SurroundingsDeps,
  entities: readonly StoredEntity[],
): Promise<readonly StoredEntity[]> {
  const concerned = entities.filter(({ agentKey }) => removals.some((each) => each.agentKey === agentKey));
  const ids = concerned.flatMap(({ recentUnits }) => recentUnits);
  const fields = { projection: removalFields };
  const rows = ids.length === 0 ? [] : await collections.units.find({ _id: { $in: ids } }, fields).toArray();
  const removed = new Set(rows.filter((row) => isRemoved(row, removals)).map(({ _id }) => _id));
  return entities.flatMap((entity) => withoutUnits(entity, (id) => removed.has(id) || gone.has(id)) ?? []);
}

async function readNeighbours({ collections }: SurroundingsDeps, units: readonly EmbeddedUnit[]) {
  const here = new Set(units.map(({ unit }) => unit._id));
  const ids = units
    .filter(({ unit }) => unit.documentId !== null)
    .flatMap(({ unit }) =>
      linkSettings.neighbourWeights.flatMap((_, index) => {
        const after = unit.isKept ? [unitId(unit.operationId, unit.fact + index + 1)] : [];
        return [placeBefore(unit, index + 1), ...after];
      }),
    )
    .filter((id) => id !== undefined && !here.has(id));
  if (ids.length === 0) return new Set<string>();
  const rows = await collections.units.find({ _id: { $in: ids as string[] } }, { projection: { _id: 1 } }).toArray();
  return new Set(rows.map(({ _id }) => _id));
}

function placeBefore({ operationId, fact }: Unit, distance: number): string | undefined {
  return fact >= distance ? unitId(operationId, fact - distance) : undefined;
}

function fromBinary({ buffer }: Binary): Float32Array {
  // A copy, because the driver's bytes have an arbitrary offset in a shared buffer.
  return new Float32Array(new Uint8Array(buffer).buffer);
}
