import { createHash } from 'node:crypto';
import { agentKey, documentKey } from '@mneme/contracts';
import { documentRowId, type StoredDocument, type StoredOperation } from '../read-model/rows.ts';
import type { RecordedOf, WorkingSet } from '../read-model/working-set.ts';

/**
 * Replaces the document by the version of an operation. Of two concurrent versions the one submitted last stays, whichever
 * finishes first.
 */
export function replaceDocument(set: WorkingSet, operation: StoredOperation, documentId: string): void {
  const id = documentRowId(operation.agentKey, documentKey(documentId));
  const current = set.documents.get(id);
  if (current && current.submittedSequence > operation.submittedSequence) return;
  dropUnits(set, id);
  set.documents.set(id, nextVersion(current, operation, id, documentId));
}

/** Whether the document is (still) the version of the operation. */
export function isCurrentVersion(set: WorkingSet, operation: StoredOperation, documentId: string): boolean {
  const document = set.documents.get(documentRowId(operation.agentKey, documentKey(documentId)));
  return document?.submittedSequence === operation.submittedSequence;
}

/** Keeps a row without text, so that a version submitted before the deletion and finished after it is ignored. */
export function onDocumentDeleted(set: WorkingSet, event: RecordedOf<'DocumentDeleted'>): void {
  const { space, documentId } = event.data;
  const now = new Date(event.time);
  const key = documentKey(documentId);
  const ofAgent = agentKey(event.data);
  const _id = documentRowId(ofAgent, key);
  dropUnits(set, _id);
  set.documents.set(_id, {
    _id,
    space,
    agentKey: ofAgent,
    documentKey: key,
    documentId,
    originalText: '',
    textLength: 0,
    contentHash: '',
    createdAt: now,
    updatedAt: now,
    submittedSequence: event.position.sequence,
    isDeleted: true,
  });
}

function nextVersion(
  current: StoredDocument | undefined,
  operation: StoredOperation,
  _id: string,
  documentId: string,
): StoredDocument {
  const originalText = operation.pendingText ?? '';
  return {
    _id,
    space: operation.space,
    agentKey: operation.agentKey,
    documentKey: documentKey(documentId),
    documentId,
    originalText,
    textLength: originalText.length,
    contentHash: createHash('sha256').update(originalText, 'utf8').digest('hex'),
    createdAt: current && !current.isDeleted ? current.createdAt : operation.createdAt,
    updatedAt: operation.createdAt,
    submittedSequence: operation.submittedSequence,
    isDeleted: false,
  };
}

function dropUnits(set: WorkingSet, id: string): void {
  set.replacedDocuments.add(id);
  for (const { unit } of set.newUnits.values()) {
    if (unit.documentKey === null || documentRowId(unit.agentKey, unit.documentKey) !== id) continue;
    set.newUnits.delete(unit._id);
    set.goneUnits.add(unit._id);
  }
}
