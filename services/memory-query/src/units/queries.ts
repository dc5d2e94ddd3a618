import { agentKey, type FactType, type UnitList } from '@mneme/contracts';
import type { Filter } from 'mongodb';
import type { ReadableRows } from '../read-model/reads.ts';
import { findRemovals, isRemoved, notRemoved } from '../read-model/removals.ts';
import { type MemoryCollections, type StoredUnit, unitIndexes } from '../read-model/rows.ts';
import { fitUnits, maxSentContext, type ReadUnit, readFields, showUnit } from './shown-units.ts';
import { wordsOf } from './text.ts';

export interface ListUnits extends UnitQuery {
  readonly limit: number;
  readonly offset: number;
}

/** Less than 4 MB, which leaves room for the rest of the reply. */
const maxItemBytes = 3_990_000;

/** A page of the units of a space or of one agent, newest date first. */
export async function listUnits(readable: ReadableRows, query: ListUnits): Promise<UnitList> {
  const { limit, offset, q } = query;
  // A `q` such as `!!!` has no words, which no unit matches; without words the filter would match all units.
  if (q !== undefined && q.trim() !== '' && wordsOf(q).length === 0) return { items: [], total: 0, limit, offset };
  const { filter, hint, count } = await selectUnits(readable, query);
  const page = readable.collections.units
    .find(filter, { projection: readFields(maxSentContext), hint })
    .sort(newestFirst)
    .skip(offset)
    .limit(limit);
  const [rows, total] = await Promise.all([page.toArray(), count()]);
  return { items: fitUnits(rows, maxItemBytes, toItem), total, limit, offset };
}

function toItem(unit: ReadUnit, maxText: number): UnitList['items'][number] {
  const { factType, ...shown } = showUnit(unit, maxSentContext, maxText);
  return { ...shown, fact_type: factType };
}

/** The agent of a unit; null when the space has no such unit. */
export async function findUnit(
  collections: MemoryCollections,
  { space, unitId }: { space: string; unitId: string },
): Promise<{ agentId: string | null }> {
  const fields = { projection: { agentId: 1, agentKey: 1, documentKey: 1, sequence: 1 } };
  const unit = await collections.units.findOne({ _id: unitId.toLowerCase(), space }, fields);
  if (!unit) return { agentId: null };
  const removals = await findRemovals(collections, { space, agentKey: unit.agentKey });
  return { agentId: isRemoved(unit, removals) ? null : unit.agentId };
}

export interface UnitQuery {
  readonly space: string;
  /** All agents of the space unless given. */
  readonly agentId?: string | undefined;
  readonly factType?: FactType | undefined;
  /** Only units that have all its words in text or context. */
  readonly q?: string | undefined;
}

/** The units that a query selects, and the indexes by which they are read, newest date first, and counted. */
export interface UnitSelection {
  readonly filter: Filter<StoredUnit>;
  readonly hint: Record<string, 1 | -1>;
  count(): Promise<number>;
}

export const newestFirst = { eventDate: -1, _id: 1 } as const;

/** How many words are compared to find the rarest one, and up to how many units of each are counted. */
const comparedWords = 8;
const comparedUnits = 2_000;

export async function selectUnits({ collections, removals }: ReadableRows, query: UnitQuery): Promise<UnitSelection> {
  const { space, agentId, factType } = query;
  const ofType = { ...(factType === undefined ? {} : { factType }), ...notRemoved(removals) };
  const words = wordsOf(query.q ?? null);
  const ofAgent = agentId === undefined ? {} : { agentKey: agentKey({ space, agentId }) };
  if (words.length > 0) {
    const among = { space, ...ofAgent };
    // The server uses the index for the first word and filters by the others.
    const filter = { ...among, ...ofType, words: { $all: await rarestFirst(collections, among, words) } };
    return selection(collections, filter, unitIndexes.byWord);
  }
  if (agentId !== undefined) {
    // The key includes the space; with the space in the filter the server would read rows instead of the index.
    const hint = factType === undefined ? unitIndexes.ofAgent : unitIndexes.ofAgentByType;
    return selection(collections, { ...ofAgent, ...ofType }, hint);
  }
  const ofSpace = selection(collections, { space, ...ofType }, unitIndexes.ofSpace);
  return factType === undefined ? ofSpace : { ...ofSpace, count: () => countOfType(collections, space, ofType) };
}

function selection(
  { units }: MemoryCollections,
  filter: Filter<StoredUnit>,
  hint: UnitSelection['hint'],
): UnitSelection {
  return { filter, hint, count: () => units.countDocuments(filter, { hint }) };
}

/** Counts agent by agent, for which an index suffices without reading rows. */
async function countOfType(
  { agents, units }: MemoryCollections,
  space: string,
  ofType: Filter<StoredUnit>,
): Promise<number> {
  const rows = await agents.find({ space }, { projection: { _id: 1 } }).toArray();
  const filter = { agentKey: { $in: rows.map(({ _id }) => _id) }, ...ofType };
  return units.countDocuments(filter, { hint: unitIndexes.ofAgentByType });
}

async function rarestFirst(
  { units }: MemoryCollections,
  among: Filter<StoredUnit>,
  words: readonly string[],
): Promise<string[]> {
  if (words.length === 1) return [...words];
  const compared = words.slice(0, comparedWords);
  const options = { hint: unitIndexes.byWord, limit: comparedUnits };
  const counts = await Promise.all(compared.map((word) => units.countDocuments({ ...among, words: word }, options)));
  const rarest = compared[counts.indexOf(Math.min(...counts))] as string;
  return [rarest, ...words.filter((word) => word !== rarest)];
}
