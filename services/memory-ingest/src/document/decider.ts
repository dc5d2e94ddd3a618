import type { MemoryEvent, memoryIngest, RequestOf } from '@mneme/contracts';
import type { AsyncDecider } from '@mneme/event-store';
import { DomainError } from '../errors.ts';

export type DocumentRef = RequestOf<typeof memoryIngest.deleteDocument>;

export interface DeleteDocument {
  readonly type: 'DeleteDocument';
  readonly document: DocumentRef;
  /** Asks the read model how many units the document has at a revision of its subject; null when it does not exist. */
  readonly countUnits: (revision: number) => Promise<number | null>;
}

/**
 * Documents are created in the read model, so the log does not tell whether one exists. The read model is asked at the
 * revision that the deletion is based on: of two concurrent deletions one is refused.
 */
export const documentDecider: AsyncDecider<undefined, DeleteDocument, MemoryEvent> = {
  initialState: undefined,
  decide: async ({ document, countUnits }, _state, { revision }) => {
    if ((await countUnits(revision)) === null) throw new DomainError('document-not-found');
    const { space, agentId, documentId } = document;
    return [{ type: 'DocumentDeleted', data: { space, agentId, documentId } }];
  },
  evolve: () => undefined,
};
