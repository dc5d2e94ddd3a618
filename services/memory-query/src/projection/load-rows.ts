import { agentKey, documentKey, type MemoryEvent, partitionOf } from '@mneme/contracts';
import { LRUCache } from 'lru-cache';
import type { Collection, Filter } from 'mongodb';
import { documentRowId, lateUnitIds } from '../read-model/row-ids.ts';
import type { MemoryCollections, StoredAgent, StoredOperation, StoredUnit, Unit } from '../read-model/rows.ts';
import { emptyWorkingSet, type LateVector, type WorkingSet } from '../read-model/working-set.ts';

/** Collects the rows that the events affect; rows that are not among the recent ones are read. */
export async function loadWorkingSet(
  collections: MemoryCollections,
  events: readonly MemoryEvent[],
  recent: RecentRows,
): Promise<WorkingSet> {
  const ids = idsOf(events);
  const [agents, operations, documents, storedUnits, lateVectors] = await Promise.all([
    rowsOf(collections.agents, ids.agents, recent.agents),
    operationsOf(collections, ids, recent),
    rowsOf(collections.documents, ids.documents),
    unitsOf(collections, ids.units),
    unitsToEmbed(collections, ids.embedded),
  ]);
  const read = new Set<object>([agents, operations, documents].flatMap((rows) => [...rows.values()]));
  return { ...emptyWorkingSet(), read, agents, operations, documents, storedUnits, lateVectors };
}

/** How many rows of each kind are remembered. */
const maxRows = 500;
/** Longer texts, in UTF-16 code units, are read again rather than kept in memory. */
const maxTextLength = 4_096;

/**
 * The agents and operations that a projector has written last, which it need not read again for the next events. They are
 * correct as long as this instance alone writes their lanes, which the checkpoint of each commit verifies: after a batch
 * that could not be committed, the rows of its lanes have to be forgotten.
 */
export class RecentRows {
  readonly agents = new LRUCache<string, StoredAgent>({ max: maxRows });
  readonly operations = new LRUCache<string, StoredOperation>({ max: maxRows });

  /** Keeps the rows that were just committed. After an erasure all rows are dropped, since some may be the agent's. */
  remember({ agents, operations, erasedAgents }: Pick<WorkingSet, 'agents' | 'operations' | 'erasedAgents'>): void {
    if (erasedAgents.size > 0) {
      this.agents.clear();
      this.operations.clear();
    }
    for (const agent of agents.values()) {
      if (agent.background.length > maxTextLength) this.agents.delete(agent._id);
      else this.agents.set(agent._id, agent);
    }
    for (const operation of operations.values()) {
      const isLong = (operation.pendingText?.length ?? 0) > maxTextLength;
      this.operations.set(operation._id, isLong ? { ...operation, pendingText: undefined } : operation);
    }
  }

  /** Forgets the rows of all agents in a lane. */
  forgetLane(lane: number): void {
    for (const key of [...this.agents.keys()]) if (partitionOf(key) === lane) this.agents.delete(key);
    for (const { _id, agentKey } of [...this.operations.values()]) {
      if (partitionOf(agentKey) === lane) this.operations.delete(_id);
    }
  }
}

function idsOf(events: readonly MemoryEvent[]) {
  const agents = new Set<string>();
  const operations = new Set<string>();
  /** Those of `operations` whose text is needed. */
  const texts = new Set<string>();
  const documents = new Set<string>();
  const units = new Set<string>();
  /** The units that get vectors, with the sequence of the last event that these are of. */
  const embedded = new Map<string, number>();
  const begun = new Set<string>();
  for (const event of events) {
    // The rows of an erased agent are not needed.
    if (event.type === 'AgentErased') continue;
    if (event.type === 'VectorsAdded') {
      for (const id of lateUnitIds(event.data)) embedded.set(id, Math.max(event.data.of, embedded.get(id) ?? 0));
    }
    const { data } = event;
    const agent = agentKey(data);
    agents.add(agent);
    if (event.type === 'BatchSubmitted' && event.data.part === 0) begun.add(event.data.operationId);
    // An operation that begins in this batch has no row yet.
    else if ('operationId' in data && data.operationId !== null && !begun.has(data.operationId)) {
      operations.add(data.operationId);
      if (needsText(event)) texts.add(data.operationId);
    }
    if ('unitId' in data && data.unitId !== undefined) units.add(data.unitId);
    if ('documentId' in data && data.documentId !== null) {
      documents.add(documentRowId(agent, documentKey(data.documentId)));
    }
  }
  return { agents, operations, texts, documents, units, embedded };
}

/** The text of a batch grows with its parts, and becomes a turn with its first facts. */
function needsText({ type, data }: MemoryEvent): boolean {
  if (type === 'BatchSubmitted') return data.part > 0 && data.documentId !== null;
  return type === 'FactsExtracted' && data.part === 0 && data.documentId !== null;
}

async function operationsOf(
  { operations }: MemoryCollections,
  ids: { readonly operations: ReadonlySet<string>; readonly texts: ReadonlySet<string> },
  recent: RecentRows,
): Promise<Map<string, StoredOperation>> {
  const withText = {
    get: (id: string) => {
      const row = recent.operations.get(id);
      return row?.pendingText === undefined ? undefined : row;
    },
  };
  const others = new Set([...ids.operations].filter((id) => !ids.texts.has(id)));
  const read = await Promise.all([
    rowsOf(operations, ids.texts, withText),
    rowsOf(operations, others, recent.operations, { pendingText: 0 }),
  ]);
  return new Map(read.flatMap((rows) => [...rows]));
}

/**
 * The units that still wait for their vectors, by id; their vectors follow from the events. One that was reworded does not
 * wait for those of a former text.
 */
async function unitsToEmbed(
  { units }: MemoryCollections,
  embedded: ReadonlyMap<string, number>,
): Promise<Map<string, LateVector>> {
  if (embedded.size === 0) return new Map();
  const rows = await units.find({ _id: { $in: [...embedded.keys()] } }).toArray();
  const isWaiting = ({ _id, vector, reworded = 0 }: StoredUnit) =>
    vector.length() === 0 && (embedded.get(_id) ?? 0) >= reworded;
  const waiting = rows.filter(isWaiting);
  const unitOf = new Map(waiting.map(({ vector: _, ...unit }) => [unit._id, unit]));
  return new Map([...embedded.keys()].map((id) => [id, { unit: unitOf.get(id), vector: '' }]));
}

async function unitsOf({ units }: MemoryCollections, ids: ReadonlySet<string>): Promise<Map<string, Unit>> {
  if (ids.size === 0) return new Map();
  const rows = await units.find({ _id: { $in: [...ids] } }, { projection: { vector: 0 } }).toArray();
  return new Map(rows.map((row) => [row._id, row]));
}

async function rowsOf<T extends { _id: string }>(
  collection: Collection<T>,
  ids: ReadonlySet<string>,
  recent?: { get(id: string): T | undefined },
  projection: Record<string, 0> = {},
): Promise<Map<string, T>> {
  const known = [...ids].flatMap((id) => recent?.get(id) ?? []);
  const rows = new Map(known.map((row) => [row._id, row]));
  const unknown = [...ids].filter((id) => !rows.has(id));
  if (unknown.length === 0) return rows;
  const read = (await collection.find({ _id: { $in: unknown } } as Filter<T>, { projection }).toArray()) as T[];
  for (const row of read) rows.set(row._id, row);
  return rows;
}
