import { createHash } from 'node:crypto';
import { documentKey } from '@mneme/contracts';
import type { RecordedOf } from '../projection/recorded-of.ts';
import { documentRowId, type StoredDocument, type StoredOperation } from '../read-model/rows.ts';
import type { WorkingSet } from '../read-model/working-set.ts';

/**
 * Lets the version that an operation holds take the place of the document. Of two versions in flight the one submitted
 * last stays, whatever finishes first.
 */
export function replaceDocument(set: WorkingSet, operation: StoredOperation, documentId: string): void {
  const id = documentRowId(operation.agentKey, documentKey(documentId));
  const current = set.documents.get(id);
  if (current && current.submittedSequence > operation.submittedSequence) return;
  dropUnits(set, id);
  set.documents.set(id, nextVersion(current, operation, id, documentId));
}

/** Whether the document is (still) the version that the operation holds. */
export function isCurrentVersion(set: WorkingSet, operation: StoredOperation, documentId: string): boolean {
  const document = set.documents.get(documentRowId(operation.agentKey, documentKey(documentId)));
  return document?.submittedSequence === operation.submittedSequence;
}

/** Leaves a mark without text, so that a version submitted before the deletion and finished after it stays away. */
export function deleteDocument(set: WorkingSet, event: RecordedOf<'DocumentDeleted'>, agentKey: string): void {
  const { space, documentId } = event.data;
  const now = new Date(event.time);
  const key = documentKey(documentId);
  const _id = documentRowId(agentKey, key);
  dropUnits(set, _id);
  const empty = { originalText: '', textLength: 0, contentHash: '', createdAt: now, updatedAt: now };
  const submittedSequence = event.position.sequence;
  const names = { _id, space, agentKey, documentKey: key, documentId };
  set.documents.set(_id, { ...names, ...empty, submittedSequence, isDeleted: true });
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
