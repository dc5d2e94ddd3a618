import { agentKey, documentKey, type MemoryEvent } from '@mneme/contracts';
import type { Collection, Filter } from 'mongodb';
import type { RecentRows } from '../projection/load-rows.ts';
import {
  documentRowId,
  type MemoryCollections,
  type StoredAgent,
  type StoredDocument,
  type StoredOperation,
  type Unit,
} from './rows.ts';

/** A unit that is about to be stored, with its vector as the event holds it. */
export interface NewUnit {
  readonly unit: Unit;
  /** Little-endian float32 values in base64. */
  readonly vector: string;
  readonly embeddingModel: string;
}

/** The rows that a batch of events touches: read once, changed by the fold, written once. */
export interface WorkingSet {
  readonly agents: Map<string, StoredAgent>;
  readonly operations: Map<string, StoredOperation>;
  readonly documents: Map<string, StoredDocument>;
  readonly newUnits: Map<string, NewUnit>;
  /** Those that a revision is about, as they are stored. */
  readonly storedOpinions: Map<string, Unit>;
  /** What stored units are to have as confidence. */
  readonly confidences: Map<string, number>;
  /** Units that must not exist afterwards, stored or not. */
  readonly goneUnits: Set<string>;
  /** Documents whose units from before this batch go. */
  readonly replacedDocuments: Set<string>;
  /** Agents, by their keys, of which nothing from before this batch stays. */
  readonly erasedAgents: Map<string, { readonly agentKey: string; readonly space: string }>;
}

/** A set without any rows. */
export function emptyWorkingSet(): WorkingSet {
  return {
    ...{ agents: new Map(), operations: new Map(), documents: new Map(), newUnits: new Map() },
    ...{ storedOpinions: new Map(), confidences: new Map() },
    ...{ goneUnits: new Set(), replacedDocuments: new Set(), erasedAgents: new Map() },
  };
}

/** Gathers the rows that the events touch; those that are not among the recent ones are read. */
export async function loadWorkingSet(
  collections: MemoryCollections,
  events: readonly MemoryEvent[],
  recent: RecentRows,
): Promise<WorkingSet> {
  const keys = keysOf(events);
  const [agents, operations, documents, storedOpinions] = await Promise.all([
    rowsOf(collections.agents, keys.agents, recent.agents),
    rowsOf(collections.operations, keys.operations, recent.operations),
    rowsOf(collections.documents, keys.documents, new Map()),
    opinionsOf(collections, keys.opinions),
  ]);
  return { ...emptyWorkingSet(), agents, operations, documents, storedOpinions };
}

function keysOf(events: readonly MemoryEvent[]) {
  const keys = {
    ...{ agents: new Set<string>(), operations: new Set<string>(), documents: new Set<string>() },
    opinions: new Set<string>(),
  };
  const begun = new Set<string>();
  for (const event of events) {
    // There is nothing to read of what is to be forgotten.
    if (event.type === 'AgentErased') continue;
    const { data } = event;
    const agent = agentKey(data);
    keys.agents.add(agent);
    if (event.type === 'BatchSubmitted' && event.data.part === 0) begun.add(event.data.operationId);
    // Of an operation that begins here there is nothing to read.
    else if ('operationId' in data && !begun.has(data.operationId)) keys.operations.add(data.operationId);
    if (event.type === 'OpinionRevised') keys.opinions.add(event.data.unitId);
    if ('documentId' in data && data.documentId !== null) {
      keys.documents.add(documentRowId(agent, documentKey(data.documentId)));
    }
  }
  return keys;
}

async function opinionsOf({ units }: MemoryCollections, ids: ReadonlySet<string>): Promise<Map<string, Unit>> {
  if (ids.size === 0) return new Map();
  const filter = { _id: { $in: [...ids] }, factType: 'opinion' as const };
  const rows = await units.find(filter, { projection: { vector: 0 } }).toArray();
  return new Map(rows.map((row) => [row._id, row]));
}

async function rowsOf<T extends { _id: string }>(
  collection: Collection<T>,
  ids: ReadonlySet<string>,
  recent: ReadonlyMap<string, T>,
): Promise<Map<string, T>> {
  const known = [...ids].flatMap((id) => recent.get(id) ?? []);
  const unknown = [...ids].filter((id) => !recent.has(id));
  const filter = { _id: { $in: unknown } } as Filter<T>;
  const read = unknown.length === 0 ? [] : ((await collection.find(filter).toArray()) as T[]);
  return new Map([...known, ...read].map((row) => [row._id, row]));
}
