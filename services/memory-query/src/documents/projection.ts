import { hash } from 'node:crypto';
import { agentKey, documentKey } from '@mneme/contracts';
import { documentRowId, turnRowId } from '../read-model/row-ids.ts';
import type { StoredDocument, StoredOperation, StoredTurn } from '../read-model/rows.ts';
import type { RecordedOf, WorkingSet } from '../read-model/working-set.ts';

/**
 * Numbers a submitted batch among those of its document, so that turns have neighbours in the order of their submission,
 * whichever is processed first.
 * @returns 0 for a batch without a document
 */
export function numberTurn(set: WorkingSet, event: RecordedOf<'BatchSubmitted'>): number {
  const { documentId } = event.data;
  if (documentId === null) return 0;
  const id = documentRowId(agentKey(event.data), documentKey(documentId));
  const current = set.documents.get(id) ?? absentDocument(event, documentId);
  const turns = current.turns + 1;
  const newestVersion = event.data.mode === 'append' ? current.newestVersion : event.position.sequence;
  set.documents.set(id, { ...current, turns, newestVersion });
  return turns;
}

/**
 * Replaces the document by the version of an operation, or appends to it. Of two concurrent versions the one submitted last
 * stays, whichever finishes first, with all that was appended to it since.
 * @param facts how many facts of the operation are known so far
 */
export function storeTurn(set: WorkingSet, operation: StoredOperation, documentId: string, facts: number): void {
  const id = documentRowId(operation.agentKey, documentKey(documentId));
  const current = set.documents.get(id);
  if (!current || current.submittedSequence > operation.submittedSequence) return;
  if (operation.mode === 'append') set.documents.set(id, withAppended(current, operation));
  else {
    dropEarlier(set, id, operation.submittedSequence);
    set.documents.set(id, nextVersion(current, operation));
  }
  const turn = turnOf(operation, documentId, facts);
  set.newTurns.set(turn._id, turn);
}

/** Corrects the number of facts of a turn when further parts of the batch follow. */
export function countFacts(set: WorkingSet, operation: StoredOperation, documentId: string, facts: number): void {
  const id = turnRowId(operation.agentKey, documentKey(documentId), operation.turn);
  const turn = set.newTurns.get(id);
  if (turn) set.newTurns.set(id, { ...turn, facts });
  else set.turnFacts.set(id, facts);
}

/** For `Unit.version`. */
export function versionOf({ documents }: WorkingSet, operation: StoredOperation): number {
  const { agentKey, documentId, submittedSequence } = operation;
  if (documentId === null) return 0;
  const newest = documents.get(documentRowId(agentKey, documentKey(documentId)))?.newestVersion ?? 0;
  // A version that was submitted later replaces these units too.
  return newest > submittedSequence ? 0 : newest;
}

/** Whether the operation is (still) a part of the document. */
export function isPartOfDocument(set: WorkingSet, operation: StoredOperation, documentId: string): boolean {
  const document = set.documents.get(documentRowId(operation.agentKey, documentKey(documentId)));
  return document !== undefined && !document.isDeleted && document.submittedSequence <= operation.submittedSequence;
}

/**
 * Keeps a row, so that a version submitted before the deletion and finished after it is ignored. An agent that does not
 * exist was erased while the deletion was being recorded, and nothing is kept of it.
 */
export function onDocumentDeleted(set: WorkingSet, event: RecordedOf<'DocumentDeleted'>): void {
  if (!set.agents.has(agentKey(event.data))) return;
  const { documentId } = event.data;
  const { sequence } = event.position;
  const absent = absentDocument(event, documentId);
  dropEarlier(set, absent._id, sequence);
  const { turns, newestVersion } = set.documents.get(absent._id) ?? absent;
  set.documents.set(absent._id, {
    ...absent,
    turns,
    newestVersion,
    submittedSequence: sequence,
    newestSequence: sequence,
  });
}

function absentDocument(
  { data, time }: RecordedOf<'BatchSubmitted' | 'DocumentDeleted'>,
  documentId: string,
): StoredDocument {
  const [now, ofAgent, key] = [new Date(time), agentKey(data), documentKey(documentId)];
  return {
    _id: documentRowId(ofAgent, key),
    space: data.space,
    agentKey: ofAgent,
    documentKey: key,
    documentId,
    textLength: 0,
    contentHash: '',
    createdAt: now,
    updatedAt: now,
    submittedSequence: 0,
    newestVersion: 0,
    newestSequence: 0,
    turns: 0,
    isAppended: false,
    isDeleted: true,
  };
}

function nextVersion(current: StoredDocument, operation: StoredOperation): StoredDocument {
  const text = operation.pendingText ?? '';
  const { submittedSequence } = operation;
  const isAppended = current.newestSequence > submittedSequence && !current.isDeleted;
  return {
    ...current,
    textLength: charactersOf(text),
    contentHash: hash('sha256', text),
    createdAt: current.isDeleted ? operation.createdAt : current.createdAt,
    updatedAt: isAppended ? current.updatedAt : operation.createdAt,
    submittedSequence,
    newestSequence: Math.max(current.newestSequence, submittedSequence),
    isAppended,
    isDeleted: false,
  };
}

function withAppended(current: StoredDocument, operation: StoredOperation): StoredDocument {
  const { submittedSequence, createdAt } = operation;
  const isNewest = current.newestSequence < submittedSequence;
  return {
    ...current,
    createdAt: current.isDeleted ? createdAt : current.createdAt,
    updatedAt: isNewest || current.isDeleted ? createdAt : current.updatedAt,
    newestSequence: Math.max(current.newestSequence, submittedSequence),
    isAppended: true,
    isDeleted: false,
  };
}

function turnOf(operation: StoredOperation, documentId: string, facts: number): StoredTurn {
  const { _id: operationId, space, agentKey, turn, submittedSequence, pendingText } = operation;
  const key = documentKey(documentId);
  const text = pendingText ?? '';
  return {
    _id: turnRowId(agentKey, key, turn),
    space,
    agentKey,
    documentKey: key,
    operationId,
    submitted: submittedSequence,
    facts,
    text,
    textLength: charactersOf(text),
  };
}

/** The number of code points of a text that has no lone surrogates. */
function charactersOf(text: string): number {
  let characters = 0;
  for (let at = 0; at < text.length; at += 1) {
    // The second half of a pair does not count.
    if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) characters += 1;
  }
  return characters;
}

/** Removes what was submitted before a sequence. */
function dropEarlier(set: WorkingSet, id: string, before: number): void {
  set.replacedDocuments.set(id, before);
  for (const { unit } of set.newUnits.values()) {
    if (unit.documentKey === null || documentRowId(unit.agentKey, unit.documentKey) !== id) continue;
    if (unit.submitted >= before) continue;
    set.newUnits.delete(unit._id);
    set.goneUnits.add(unit._id);
  }
  for (const [turnId, turn] of set.newTurns) {
    if (documentRowId(turn.agentKey, turn.documentKey) === id && turn.submitted < before) set.newTurns.delete(turnId);
  }
}
