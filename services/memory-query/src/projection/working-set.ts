import { agentKey, documentKey, type MemoryEvent } from '@mneme/contracts';
import type { Collection } from 'mongodb';
import {
  documentRowId,
  type MemoryCollections,
  type StoredAgent,
  type StoredDocument,
  type StoredOperation,
  type Unit,
} from '../read-model/collections.ts';

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
  /** Units that must not exist afterwards, stored or not. */
  readonly goneUnits: Set<string>;
  /** Documents whose units from before this batch go. */
  readonly replacedDocuments: Set<string>;
}

/** Reads the rows that the events touch. */
export async function loadWorkingSet(
  collections: MemoryCollections,
  events: readonly MemoryEvent[],
): Promise<WorkingSet> {
  const keys = keysOf(events);
  const [agents, operations, documents] = await Promise.all([
    rowsOf(collections.agents, keys.agents),
    rowsOf(collections.operations, keys.operations),
    rowsOf(collections.documents, keys.documents),
  ]);
  return { agents, operations, documents, newUnits: new Map(), goneUnits: new Set(), replacedDocuments: new Set() };
}

function keysOf(events: readonly MemoryEvent[]) {
  const keys = { agents: new Set<string>(), operations: new Set<string>(), documents: new Set<string>() };
  for (const { data } of events) {
    const agent = agentKey(data);
    keys.agents.add(agent);
    if ('operationId' in data) keys.operations.add(data.operationId);
    if ('documentId' in data && data.documentId !== null) {
      keys.documents.add(documentRowId(agent, documentKey(data.documentId)));
    }
  }
  return keys;
}

async function rowsOf<T extends { _id: string }>(
  collection: Collection<T>,
  ids: ReadonlySet<string>,
): Promise<Map<string, T>> {
  if (ids.size === 0) return new Map();
  const rows = (await collection.find({ _id: { $in: [...ids] } } as never).toArray()) as T[];
  return new Map(rows.map((row) => [row._id, row]));
}
