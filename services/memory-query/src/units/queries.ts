import {
  agentKey,
  type FactType,
  factTypes,
  type memoryQuery,
  type ReplyOf,
  type RequestOf,
  type UnitList,
} from '@mneme/contracts';
import type { CountDocumentsOptions, Filter } from 'mongodb';
import { type TimedRead, timedRead, totalOf } from '../read-model/mongo-queries.ts';
import type { ReadableRows } from '../read-model/reads.ts';
import { findRemovals, isRemoved, notRemoved, removalFields, removedUnits } from '../read-model/removals.ts';
import { type MemoryCollections, type StoredUnit, timestamp, unitIndexes } from '../read-model/rows.ts';
import { inSnapshot } from '../read-model/snapshot.ts';
import {
  fitUnits,
  maxReplyBytes,
  maxSentContext,
  type ReadUnit,
  readFields,
  shownMetadata,
  showUnit,
} from './shown-units.ts';
import { wordsOf } from './text.ts';
import { rowFilter } from './unit-filter.ts';

export type ListUnits = RequestOf<typeof memoryQuery.listUnits>;

/**
 * A page of the units of a space or of one agent, newest date first.
 * @throws WireError 504 when it takes too long
 */
export async function listUnits(readable: ReadableRows, query: ListUnits): Promise<UnitList> {
  const { limit, offset, q } = query;
  // A `q` such as `!!!` has no words, which no unit matches; without words the filter would match all units.
  if (q !== undefined && q.trim() !== '' && wordsOf(q).length === 0) return { items: [], total: 0, limit, offset };
  const inTime = timedRead();
  const { filter, hint, sort, count } = await selectUnits(readable, query);
  const options = { projection: readFields(maxSentContext), hint, sort, skip: offset, limit };
  const rows = await inTime((time) => readable.collections.units.find(filter, { ...options, ...time }).toArray());
  const total = await totalOf(rows, { limit, offset }, () => count(inTime));
  const { units: items } = await fitUnits(rows, maxReplyBytes, toItem);
  return { items, total, limit, offset };
}

function toItem(unit: ReadUnit, maxText: number): UnitList['items'][number] {
  const { factType, ...shown } = showUnit(unit, maxSentContext, maxText);
  return { ...shown, fact_type: factType, ...shownMetadata(unit) };
}

/** The agent of a unit, and what a correction of it starts from; null when the space has no such unit. */
export async function findUnit(
  collections: MemoryCollections,
  { space, unitId }: RequestOf<typeof memoryQuery.findUnit>,
): Promise<ReplyOf<typeof memoryQuery.findUnit>> {
  const projection = { agentId: 1, text: 1, context: 1, eventDate: 1, ...removalFields };
  const row = await collections.units.findOne({ _id: unitId.toLowerCase(), space }, { projection });
  const removals = row ? await findRemovals(collections, { space, agentKey: row.agentKey }) : [];
  if (!row || isRemoved(row, removals)) return { agentId: null };
  const { agentId, text, context, eventDate, sequence } = row;
  return { agentId, unit: { text, context, eventDate: timestamp(eventDate), sequence } };
}

export interface UnitQuery {
  readonly space: string;
  /** All agents of the space unless given. */
  readonly agentId?: string | undefined;
  readonly factType?: FactType | undefined;
  /** Only units that have all its words in text or context. */
  readonly q?: string | undefined;
  /** Half-open; ISO 8601 with an offset. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly documentId?: string | undefined;
  /** Only units that mention the entity of this name. */
  readonly entity?: string | undefined;
}

/** The units that a query selects, and the index by which they are read and counted. */
export interface UnitSelection {
  readonly filter: Filter<StoredUnit>;
  readonly hint: Record<string, 1 | -1>;
  readonly sort: Record<string, 1 | -1>;
  count(inTime: TimedRead): Promise<number>;
}

/** Units by where they belong and what they are. */
interface SelectedUnits {
  /** Undefined for all agents of the space. */
  readonly agentKeys?: readonly string[];
  readonly condition: Filter<StoredUnit>;
  readonly hint: UnitSelection['hint'];
}

export const newestFirst = { eventDate: -1, _id: 1 } as const;
const inDocument = { turn: 1, fact: 1, _id: 1 } as const;

/** In a space with more agents than this, the rows are read to find words, since the index would be asked for each of them. */
const maxAgents = 1_000;

export async function selectUnits(readable: ReadableRows, query: UnitQuery): Promise<UnitSelection> {
  const { collections } = readable;
  const { space, agentId, factType, entity, since, until, documentId } = query;
  const words = wordsOf(query.q ?? null);
  const condition: Filter<StoredUnit> = {
    ...(factType === undefined ? {} : { factType }),
    ...rowFilter({ since, until, documentId }),
    ...(entity === undefined ? {} : { 'entities.name': entity }),
    ...(words.length === 0 ? {} : { words: { $all: words.map(betweenSpaces) } }),
  };
  const select = (selected: Omit<SelectedUnits, 'condition'>) => selection(readable, space, { ...selected, condition });
  // The key includes the space; with the space in the filter the server would read rows instead of the index.
  const ofAgent = agentId === undefined ? undefined : [agentKey({ space, agentId })];
  if (documentId !== undefined) {
    const agentKeys = ofAgent ?? (await agentKeysOf(collections, space));
    return { ...select({ agentKeys, hint: unitIndexes.ofDocument }), sort: inDocument };
  }
  if (words.length > 0) {
    const agentKeys = ofAgent ?? (await agentKeysOf(collections, space, maxAgents + 1));
    return select(
      agentKeys.length > maxAgents ? { hint: unitIndexes.ofSpace } : { agentKeys, hint: unitIndexes.withWords },
    );
  }
  if (ofAgent) {
    return select({
      agentKeys: ofAgent,
      hint: factType === undefined ? unitIndexes.ofAgent : unitIndexes.ofAgentByType,
    });
  }
  return select({ hint: unitIndexes.ofSpace });
}

function selection(readable: ReadableRows, space: string, selected: SelectedUnits): UnitSelection {
  const { collections, removals } = readable;
  const { agentKeys, condition, hint } = selected;
  const among = agentKeys ? { agentKey: { $in: [...agentKeys] } } : { space, factType: { $in: [...factTypes] } };
  const stored: Filter<StoredUnit> = { ...among, ...condition };
  const countIn = (of: Filter<StoredUnit>, options: CountDocumentsOptions, inTime: TimedRead) =>
    inTime((time) => collections.units.countDocuments(of, { ...options, ...time }));
  // Removed units are counted apart: with the condition that excludes them the server would read the row of each unit.
  const countPresent = (inTime: TimedRead) =>
    inSnapshot(readable, { space }, async ({ removals: pending, session }) => {
      const ofAgents = pending.filter(({ agentKey: key }) => agentKeys?.includes(key) ?? true);
      const all = await countIn(stored, { hint, session }, inTime);
      const removed = removedUnits(ofAgents, condition);
      return all - (await countIn(removed, { hint: unitIndexes.ofDocument, session }, inTime));
    });
  return {
    filter: { ...stored, ...notRemoved(removals) },
    hint,
    sort: newestFirst,
    count: (inTime) => (removals.length === 0 ? countIn(stored, { hint }, inTime) : countPresent(inTime)),
  };
}

/** @param limit 0 for all */
async function agentKeysOf({ agents }: MemoryCollections, space: string, limit = 0): Promise<string[]> {
  const rows = await agents.find({ space }, { projection: { _id: 1 }, limit }).toArray();
  return rows.map(({ _id }) => _id);
}

/** A word has only letters, digits and `_`, which stand for themselves. */
function betweenSpaces(word: string): RegExp {
  return new RegExp(` ${word} `);
}
