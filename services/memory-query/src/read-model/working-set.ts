import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { StoredAgent, StoredDocument, StoredOperation, StoredTurn, Unit } from './rows.ts';

/** An event with the position and the time at which it was recorded. */
export type RecordedOf<T extends MemoryEvent['type']> = Recorded<MemoryEventOf<T>>;

/** A unit with its vector as the event holds it. */
export interface UnitWithVector {
  readonly unit: Unit;
  /** Little-endian float32 values in base64. */
  readonly vector: string;
}

/** A passage of which a unit was changed or removed, by the indexes of its facts. */
export interface ChangedPassage {
  readonly operationId: string;
  readonly first: number;
  readonly last: number;
}

/** The vector of a unit that was stored without one. */
export interface LateVector {
  /** The stored unit; undefined if it no longer exists or has a vector. */
  readonly unit: Unit | undefined;
  /** Little-endian float32 values in base64. */
  readonly vector: string;
}

/** The rows that a batch of events affects: read once, changed event by event, written once. */
export interface WorkingSet {
  /** The cl100k tokens of texts of the events, as far as they were counted in advance. */
  readonly tokens: ReadonlyMap<string, number>;
  /** The rows as they were read; those that are still in the set have not changed. */
  readonly read: ReadonlySet<object>;
  readonly agents: Map<string, StoredAgent>;
  readonly operations: Map<string, StoredOperation>;
  readonly documents: Map<string, StoredDocument>;
  readonly newTurns: Map<string, StoredTurn>;
  /** The new number of facts of stored turns, by their row ids. */
  readonly turnFacts: Map<string, number>;
  readonly newUnits: Map<string, UnitWithVector>;
  /** The stored units that the events change or remove one by one. */
  readonly storedUnits: Map<string, Unit>;
  /** Stored units whose vectors have been added, by id and in the order of the log. */
  readonly lateVectors: Map<string, LateVector>;
  /** The new confidence of stored units. */
  readonly confidences: Map<string, number>;
  /** The passages whose text changes, by batch and first fact. */
  readonly changedPassages: Map<string, ChangedPassage>;
  /** Stored units that keep another text of their passage, with their vectors. */
  readonly unitsWithNewPassage: Map<string, UnitWithVector>;
  /** Units that must not exist afterwards, stored or not. */
  readonly goneUnits: Set<string>;
  /** Documents of which everything that was submitted before a sequence is removed, by their row ids. */
  readonly replacedDocuments: Map<string, number>;
  /** The turns that are removed at once. */
  readonly goneTurns: RemovedTurns[];
  /** Agents of which everything from before this batch is removed, by their keys. */
  readonly erasedAgents: Map<string, { readonly agentKey: string; readonly space: string }>;
}

/** The turns of a document that were submitted before a sequence. */
export interface RemovedTurns {
  readonly agentKey: string;
  readonly documentKey: string;
  readonly before: number;
}

/** A set without any rows. */
export function emptyWorkingSet(): WorkingSet {
  return {
    tokens: new Map(),
    read: new Set(),
    agents: new Map(),
    operations: new Map(),
    documents: new Map(),
    newTurns: new Map(),
    turnFacts: new Map(),
    newUnits: new Map(),
    storedUnits: new Map(),
    lateVectors: new Map(),
    confidences: new Map(),
    changedPassages: new Map(),
    unitsWithNewPassage: new Map(),
    goneUnits: new Set(),
    replacedDocuments: new Map(),
    goneTurns: [],
    erasedAgents: new Map(),
  };
}
