import { agentKey } from '@mneme/contracts';
import { touchAgent } from '../agents/projection.ts';
import { countFacts, isPartOfDocument, numberTurn, storeTurn } from '../documents/projection.ts';
import type { StoredOperation } from '../read-model/rows.ts';
import type { RecordedOf, WorkingSet } from '../read-model/working-set.ts';
import { addUnits } from '../units/projection.ts';

type OperationEvent = RecordedOf<
  | 'OperationStarted'
  | 'FactsExtracted'
  | 'OperationFailed'
  | 'OperationCancelled'
  | 'OperationDismissed'
  | 'OperationRetried'
>;

/** A large batch is submitted in parts, one after the other. */
export function onBatchSubmitted(set: WorkingSet, event: RecordedOf<'BatchSubmitted'>): void {
  const { operationId, documentId, part, items } = event.data;
  touchAgent(set, event);
  const known = set.operations.get(operationId);
  const text = documentId === null ? null : items.map(({ content }) => content).join('\n');
  if (part === 0 || !known) set.operations.set(operationId, newOperation(event, numberTurn(set, event), text));
  else if (text !== null) set.operations.set(operationId, { ...known, pendingText: `${known.pendingText}\n${text}` });
}

export function onOperationStarted(set: WorkingSet, event: RecordedOf<'OperationStarted'>): void {
  changeOperation(set, event, { status: 'processing', attempts: event.data.attempt });
}

/** Creates units of the facts of one part of a batch; the last part completes the operation. */
export function onFactsExtracted(set: WorkingSet, event: RecordedOf<'FactsExtracted'>): void {
  const { operationId, documentId, part, parts, firstFact, facts } = event.data;
  const operation = set.operations.get(operationId);
  if (!operation) return;
  const known = firstFact + facts.length;
  if (part === 0 && documentId !== null) storeTurn(set, operation, documentId, known);
  if (part === 0) changeOperation(set, event, { pendingText: null });
  if (documentId === null || isPartOfDocument(set, operation, documentId)) {
    if (part > 0 && documentId !== null) countFacts(set, operation, documentId, known);
    addUnits(set, event, operation);
    changeOperation(set, event, { unitsCreated: operation.unitsCreated + facts.length, facts: known });
  }
  if (part !== parts - 1) return;
  changeOperation(set, event, { status: 'completed', settledSequence: event.position.sequence });
}

/** The text is kept, because a failed batch may be retried. */
export function onOperationFailed(set: WorkingSet, event: RecordedOf<'OperationFailed'>): void {
  const { message, attempts } = event.data;
  const settledSequence = event.position.sequence;
  changeOperation(set, event, { status: 'failed', errorMessage: message, attempts, settledSequence });
}

export function onOperationCancelled(set: WorkingSet, event: RecordedOf<'OperationCancelled'>): void {
  changeOperation(set, event, { status: 'cancelled', settledSequence: event.position.sequence, pendingText: null });
}

export function onOperationDismissed(set: WorkingSet, event: RecordedOf<'OperationDismissed'>): void {
  changeOperation(set, event, { status: 'dismissed', pendingText: null });
}

/** The operation is pending as after its submission. */
export function onOperationRetried(set: WorkingSet, event: RecordedOf<'OperationRetried'>): void {
  changeOperation(set, event, { status: 'pending', errorMessage: null, attempts: 0, settledSequence: null });
}

/** Ignores an operation without a row, whose submission was erased from the log. */
function changeOperation(set: WorkingSet, event: OperationEvent, change: Partial<StoredOperation>): void {
  const operation = set.operations.get(event.data.operationId);
  if (!operation) return;
  set.operations.set(operation._id, { ...operation, ...change, updatedAt: new Date(event.time) });
}

/** The row of an operation after its first part. @param turn its number among the batches of its document */
export function newOperation(
  { data, time, position }: RecordedOf<'BatchSubmitted'>,
  turn: number,
  text: string | null,
): StoredOperation {
  const { operationId, space, agentId, documentId, mode = 'replace', itemsCount } = data;
  const now = new Date(time);
  return {
    _id: operationId,
    space,
    agentKey: agentKey(data),
    agentId,
    documentId,
    mode,
    turn,
    status: 'pending',
    itemsCount,
    unitsCreated: 0,
    facts: 0,
    attempts: 0,
    errorMessage: null,
    createdAt: now,
    updatedAt: now,
    submittedSequence: position.sequence,
    settledSequence: null,
    pendingText: text,
  };
}
