import type { MemoryEvent } from '@mneme/contracts';
import type { EventStore, StoredMessage } from '@mneme/event-store';
import type { EmbeddingModel, LexicalEncoder, Models } from '@mneme/models';
import type { OpenedService, ReadSlots } from '@mneme/read-models';
import type { OperationWaiters } from './operations/waiters.ts';
import type { AgentKeyAt } from './read-model/agent-keys.ts';
import type { MemoryReadModel, ReadModelStores, VersionModels } from './read-model/read-model.ts';
import type { Reads } from './read-model/reads.ts';
import type { SearchPart } from './search/search-settings.ts';
import type { OwnVectors } from './vectors/embedding-model.ts';

export type QueryModels = Pick<Models, 'thinker' | 'reranker'>;

export interface MemoryQueryOptions extends OpenedService {
  readonly store: EventStore<MemoryEvent>;
  readonly stores: Omit<ReadModelStores, 'embeddings'>;
  readonly models: QueryModels;
  readonly embeddings: VersionModels;
  /** Gives events the vectors of a model. */
  readonly ownVectors: (embeddings: EmbeddingModel) => OwnVectors;
  readonly lexical: LexicalEncoder;
  /** Parts of the search that are switched off. */
  readonly searchWithout: readonly SearchPart[];
  readonly readSlots: ReadSlots;
}

/** What endpoints work with. */
export interface MemoryQueryDeps extends MemoryQueryOptions {
  readonly readModel: MemoryReadModel;
  readonly agentKeyAt: AgentKeyAt;
  /** The message of the log at a sequence. */
  readonly messageAt: (sequence: number) => Promise<StoredMessage | undefined>;
  readonly reads: Reads;
  readonly waiters: OperationWaiters;
}
