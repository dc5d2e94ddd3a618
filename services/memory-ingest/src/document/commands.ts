import { type AgentRef, type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import { type EventContext, type EventStore, execute, formatPosition } from '@mneme/event-store';
import type { Client } from '@mneme/service-kit';
import { documentDecider } from './decider.ts';

export interface DeleteDocumentDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly client: Client;
}

interface DocumentRef extends AgentRef {
  readonly documentId: string;
}

/** Longer than the 5 s that the read model may take to reach a revision. */
const queryTimeoutMs = 7_000;

/**
 * Deletes a document and its units. Of two deletions at once one is refused.
 * @throws DomainError `document-not-found` when the agent has no such document.
 */
export async function deleteDocument(
  { store, client }: DeleteDocumentDeps,
  { space, agentId, documentId }: DocumentRef,
  context: EventContext,
): Promise<{ unitsDeleted: number; position: string | null }> {
  const document = { space, agentId, documentId };
  let unitsDeleted = 0;
  const countUnits = async (minSequence: number) => {
    const asked = { ...context, deadlineMs: queryTimeoutMs };
    const { unitCount } = await client.call(memoryQuery.findDocument, { ...document, minSequence }, asked);
    unitsDeleted = unitCount ?? 0;
    return unitCount;
  };
  const command = { type: 'DeleteDocument', document, countUnits } as const;
  const subject = memorySubjects.document(document, documentId);
  const { position } = await execute(store, documentDecider, subject, command, context, { history: 'none' });
  return { unitsDeleted, position: position ? formatPosition(position) : null };
}
