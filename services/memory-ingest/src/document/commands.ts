import { memoryQuery, memorySubjects } from '@mneme/contracts';
import { type EventContext, execute, formatPosition } from '@mneme/event-store';
import type { MemoryIngestDeps } from '../deps.ts';
import { type DocumentRef, documentDecider } from './decider.ts';

/** Longer than the 5 s that the read model may take to reach a revision, in milliseconds. */
const queryTimeoutMs = 7_000;

/** How long a document that is not there may take to be known as submitted, in milliseconds. */
const submittedWaitMs = 500;

/**
 * Deletes a document and its units, also while its first version is being stored. Of two concurrent deletions one is refused.
 * @throws DomainError `document-not-found` when the agent has no such document
 */
export async function deleteDocument(
  { store, client }: Pick<MemoryIngestDeps, 'store' | 'client'>,
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
  /** One that was submitted a moment ago must be found; but what a large batch of the agent adds may take a minute. */
  const isUpToDate = async () => {
    const sequence = await store.head(memorySubjects.operationsOf(document));
    const options = { ...context, timeoutMs: 2 * submittedWaitMs };
    const waiting = client.request(memoryQuery.awaitPosition, { space, sequence, waitMs: submittedWaitMs }, options);
    return waiting.then(
      ({ reached }) => reached,
      () => false,
    );
  };
  const countUnits = async (revision: number) => {
    // A document of an agent that was erased before must not be found.
    const minSequence = Math.max(revision, await store.head(memorySubjects.agent(document)));
    const unitCount = (await countAt(minSequence)) ?? ((await isUpToDate()) ? await countAt(minSequence) : null);
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
