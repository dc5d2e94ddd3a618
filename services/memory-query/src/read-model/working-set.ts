import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { StoredAgent, StoredDocument, StoredOperation, Unit } from './rows.ts';

/** An event with the position and the time at which it was recorded. */
export type RecordedOf<T extends MemoryEvent['type']> = Recorded<MemoryEventOf<T>>;

/** A unit that is about to be stored, with its vector as the event holds it. */
export interface NewUnit {
  readonly unit: Unit;
  /** Little-endian float32 values in base64. */
  readonly vector: string;
  readonly embeddingModel: string;
}

/** The rows that a batch of events affects: read once, changed event by event, written once. */
export interface WorkingSet {
  readonly agents: Map<string, StoredAgent>;
  readonly operations: Map<string, StoredOperation>;
  readonly documents: Map<string, StoredDocument>;
  readonly newUnits: Map<string, NewUnit>;
  /** The stored opinions that the events revise. */
  readonly storedOpinions: Map<string, Unit>;
  /** The new confidence of stored units. */
  readonly confidences: Map<string, number>;
  /** Units that must not exist afterwards, stored or not. */
  readonly goneUnits: Set<string>;
  /** Documents whose units from before this batch are removed, by their row ids. */
  readonly replacedDocuments: Set<string>;
  /** Agents of which everything from before this batch is removed, by their keys. */
  readonly erasedAgents: Map<string, { readonly agentKey: string; readonly space: string }>;
}

/** A set without any rows. */
export function emptyWorkingSet(): WorkingSet {
  return {
    agents: new Map(),
    operations: new Map(),
    documents: new Map(),
    newUnits: new Map(),
    storedOpinions: new Map(),
    confidences: new Map(),
    goneUnits: new Set(),
    replacedDocuments: new Set(),
    erasedAgents: new Map(),
  };
}
