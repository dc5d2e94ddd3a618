import type { AgentRef, MemoryEvent } from '@mneme/contracts';
import type { LogEmbeddings } from '@mneme/embedding-model';
import type { Eraser, EventStore } from '@mneme/event-store';
import type { Models } from '@mneme/models';
import type { Client } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Logger } from 'pino';

/** What the commands and reactors of this service work with. */
export interface MemoryIngestDeps {
  readonly connection: NatsConnection;
  readonly store: EventStore<MemoryEvent>;
  readonly eraser: Eraser;
  /** @returns a store that keeps nothing of an agent that was erased after `readAt` */
  readonly storeFor: (agent: AgentRef, readAt: number) => EventStore<MemoryEvent>;
  readonly client: Client;
  readonly models: Pick<Models, 'extractor' | 'opinions' | 'background'>;
  readonly embeddings: LogEmbeddings;
  readonly logger: Logger;
}

export type PresentModels = ReturnType<typeof presentModels>;

/** The models for one piece of work, all of which is to be done with the same embedding model. */
export function presentModels({ models, embeddings }: Pick<MemoryIngestDeps, 'models' | 'embeddings'>) {
  return { ...models, embeddings: embeddings.current() };
}
