import { agentKey, type FactType } from '@mneme/contracts';
import type { Filter } from 'mongodb';
import { unitIndexes } from '../read-model/indexes.ts';
import type { ReadableRows } from '../read-model/reads.ts';
import { notRemoved } from '../read-model/removals.ts';
import type { MemoryCollections, StoredUnit } from '../read-model/rows.ts';
import { wordsOf } from './text.ts';

export interface UnitQuery {
  readonly space: string;
  /** All agents of the space unless given. */
  readonly agentId?: string | undefined;
  readonly factType?: FactType | undefined;
  /** Units that have all its words in text or context. */
  readonly q?: string | undefined;
}

/** Which units a query means, and the indexes by which they are read, newest date first, and counted. */
export interface UnitSelection {
  readonly filter: Filter<StoredUnit>;
  readonly hint: Record<string, 1 | -1>;
  count(): Promise<number>;
}

export const newestFirst = { eventDate: -1, _id: 1 } as const;

/** So many words are compared for how rare they are, and each is counted up to so many units. */
const comparedWords = 8;
const comparedUnits = 2_000;

export async function selectUnits({ collections, removals }: ReadableRows, query: UnitQuery): Promise<UnitSelection> {
  const { space, agentId, factType } = query;
  const ofType = { ...(factType === undefined ? {} : { factType }), ...notRemoved(removals) };
  const words = wordsOf(query.q ?? null);
  const ofAgent = agentId === undefined ? {} : { agentKey: agentKey({ space, agentId }) };
  if (words.length > 0) {
    const among = { space, ...ofAgent };
    // The server reads by the first word and looks at the others in the rows.
    const filter = { ...among, ...ofType, words: { $all: await rarestFirst(collections, among, words) } };
    return selection(collections, filter, unitIndexes.byWord);
  }
  if (agentId !== undefined) {
    // The key stands for the space too; naming the space would make the server read rows instead of the index.
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

/** Agent by agent, which an index answers without reading rows. */
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
