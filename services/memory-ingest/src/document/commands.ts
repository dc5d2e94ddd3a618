import { memoryQuery, memorySubjects } from '@mneme/contracts';
import { type EventContext, execute, formatPosition } from '@mneme/event-store';
import type { IngestDeps } from '../deps.ts';
import { type DocumentRef, documentDecider } from './decider.ts';

/** Longer than the 5 s that the read model may take to reach a revision, in milliseconds. */
const queryTimeoutMs = 7_000;

/**
 * Deletes a document and its units, also while its first version is being stored. Of two concurrent deletions one is refused.
 * @throws DomainError `document-not-found` when the agent has no such document
 */
export async function deleteDocument(
  { store, client }: Pick<IngestDeps, 'store' | 'client'>,
  { space, agentId, documentId }: DocumentRef,
  context: EventContext,
): Promise<{ unitsDeleted: number; position: string | null }> {
  const document = { space, agentId, documentId };
  let unitsDeleted = 0;
  const countAt = async (minSequence: number) => {
    const options = { ...context, timeoutMs: queryTimeoutMs };
    const { unitCount } = await client.request(memoryQuery.findDocument, { ...document, minSequence }, options);
    return unitCount;
  };
  const countUnits = async (revision: number) => {
    // A document of an agent that was erased before must not be found.
    const minSequence = Math.max(revision, await store.head(memorySubjects.agent(document)));
    // One that was submitted a moment ago must be found, but not every deletion has to wait for all batches of the agent.
    const unitCount =
      (await countAt(minSequence)) ??
      (await countAt(Math.max(minSequence, await store.head(memorySubjects.operationsOf(document)))));
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
