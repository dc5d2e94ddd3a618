import type { AgentRef, MemoryEvent } from '@mneme/contracts';
import type { AsyncDecider } from '@mneme/event-store';
import { DomainError } from '../errors.ts';

export interface DeleteDocument {
  readonly type: 'DeleteDocument';
  readonly document: AgentRef & { readonly documentId: string };
  /** How many units the document has at a revision of its subject, as the read model says; null when there is none. */
  readonly countUnits: (revision: number) => Promise<number | null>;
}

/**
 * Documents come into being in the read model, so that the log does not say whether one exists. The read model is asked at
 * the revision that the deletion is based on: of two deletions at once one is refused.
 */
export const documentDecider: AsyncDecider<undefined, DeleteDocument, MemoryEvent> = {
  initialState: undefined,
  decide: async ({ document, countUnits }, _state, { revision }) => {
    if ((await countUnits(revision)) === null) throw new DomainError('document-not-found', 'Document not found');
    const { space, agentId, documentId } = document;
    return [{ type: 'DocumentDeleted', data: { space, agentId, documentId } }];
  },
  evolve: () => undefined,
};
