import type { MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { expect } from 'vitest';
import { applyEvent } from '../projection/apply-event.ts';
import type { StoredAgent, StoredDocument, StoredOperation, StoredTurn, Unit } from '../read-model/rows.ts';
import { type ChangedPassage, emptyWorkingSet, type LateVector, type WorkingSet } from '../read-model/working-set.ts';

/** The rows after some events; a row may have more fields than expected, a list has exactly the expected rows. */
export interface ExpectedRows {
  readonly agents?: readonly Partial<StoredAgent>[];
  readonly operations?: readonly Partial<StoredOperation>[];
  readonly documents?: readonly Partial<StoredDocument>[];
  readonly turns?: readonly Partial<StoredTurn>[];
  readonly units?: readonly Partial<Unit>[];
  /** The vectors of stored units that had none, by their ids. */
  readonly lateVectors?: Readonly<Record<string, Partial<LateVector>>>;
  /** The passages whose text changes. */
  readonly changedPassages?: readonly ChangedPassage[];
  /** The ids of removed units. */
  readonly goneUnits?: readonly string[];
  /** The keys of erased agents. */
  readonly erasedAgents?: readonly string[];
}

interface Specification {
  thenRows(rows: ExpectedRows): void;
}

/** Begins a specification of the projection: `given(...events).thenRows(rows)`. */
export function given(...events: readonly Recorded<MemoryEvent>[]): Specification {
  return givenStored([], ...events);
}

/** The same with units that were stored before the events. */
export function givenStored(units: readonly Unit[], ...events: readonly Recorded<MemoryEvent>[]): Specification {
  const set = emptyWorkingSet();
  for (const unit of units) set.storedUnits.set(unit._id, unit);
  apply(set, events);
  const rows = {
    agents: [...set.agents.values()],
    operations: [...set.operations.values()],
    documents: [...set.documents.values()],
    turns: [...set.newTurns.values()],
    units: [...set.newUnits.values()].map(({ unit }) => unit),
    lateVectors: Object.fromEntries(set.lateVectors),
    changedPassages: [...set.changedPassages.values()],
    goneUnits: [...set.goneUnits],
    erasedAgents: [...set.erasedAgents.keys()],
  };
  return { thenRows: (expected) => expect(rows).toMatchObject(expected) };
}

export function rowsAfter(...events: readonly Recorded<MemoryEvent>[]): WorkingSet {
  const set = emptyWorkingSet();
  apply(set, events);
  return set;
}

function apply(set: WorkingSet, events: readonly Recorded<MemoryEvent>[]): void {
  for (const event of events) applyEvent(set, event);
}
