import { type AgentRef, type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import { ConflictError, type EventContext, type EventStore, formatPosition } from '@mneme/event-store';
import type { Client } from '@mneme/service-kit';
import { DomainError } from '../errors.ts';

export interface DeleteDocumentDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly client: Client;
}

interface DocumentRef extends AgentRef {
  readonly documentId: string;
}

const maxRounds = 3;
/** Longer than the 5 s that the read model may take to reach a revision. */
const queryTimeoutMs = 7_000;

/**
 * Deletes a document and its units. Of two deletions at once one is refused.
 * @throws DomainError `document-not-found` when the agent has no such document.
 */
export async function deleteDocument(
  deps: DeleteDocumentDeps,
  document: DocumentRef,
  context: EventContext,
): Promise<{ unitsDeleted: number; position: string | null }> {
  for (let round = 1; ; round += 1) {
    try {
      return await deleteOnce(deps, document, context);
    } catch (error) {
      if (!(error instanceof ConflictError) || round === maxRounds) throw error;
    }
  }
}

/** Whether the document exists is known to the read model, asked for at the revision that the deletion is based on. */
async function deleteOnce(
  { store, client }: DeleteDocumentDeps,
  { space, agentId, documentId }: DocumentRef,
  context: EventContext,
): Promise<{ unitsDeleted: number; position: string | null }> {
  const ref = { space, agentId, documentId };
  const subject = memorySubjects.document(ref, documentId);
  const { revision } = await store.load(subject);
  const { unitCount } = await client.call(
    memoryQuery.findDocument,
    { ...ref, minSequence: revision },
    { ...context, deadlineMs: queryTimeoutMs },
  );
  if (unitCount === null) throw new DomainError('document-not-found', 'Document not found');
  const position = await store.append(subject, [{ type: 'DocumentDeleted', data: ref }], revision, context);
  return { unitsDeleted: unitCount, position: formatPosition(position) };
}
