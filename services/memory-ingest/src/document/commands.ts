import { memoryQuery, memorySubjects } from '@mneme/contracts';
import { type EventContext, execute, formatPosition } from '@mneme/event-store';
import type { IngestDeps } from '../deps.ts';
import { type DocumentRef, documentDecider } from './decider.ts';

/** Longer than the 5 s that the read model may take to reach a revision, in milliseconds. */
const queryTimeoutMs = 7_000;

/**
 * Deletes a document and its units. Of two concurrent deletions one is refused.
 * @throws DomainError `document-not-found` when the agent has no such document
 */
export async function deleteDocument(
  { store, client }: Pick<IngestDeps, 'store' | 'client'>,
  { space, agentId, documentId }: DocumentRef,
  context: EventContext,
): Promise<{ unitsDeleted: number; position: string | null }> {
  const document = { space, agentId, documentId };
  let unitsDeleted = 0;
  const countUnits = async (revision: number) => {
    // A document of an agent that was erased before must not be found.
    const minSequence = Math.max(revision, await store.head(memorySubjects.agent(document)));
    const options = { ...context, timeoutMs: queryTimeoutMs };
    const { unitCount } = await client.request(memoryQuery.findDocument, { ...document, minSequence }, options);
    unitsDeleted = unitCount ?? 0;
    return unitCount;
  };
  const command = { type: 'DeleteDocument', document, countUnits } as const;
  const subject = memorySubjects.document(document, documentId);
  const { position } = await execute(store, documentDecider, subject, command, context, {
    history: 'none',
    signal: context.signal,
  });
  return { unitsDeleted, position: position ? formatPosition(position) : null };
}
