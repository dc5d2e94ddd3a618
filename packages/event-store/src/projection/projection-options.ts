import type { DomainEvent, EventCatalog } from '@mneme/contracts';
import type { NatsConnection } from '@nats-io/nats-core';
import type { EventStoreLogger } from '../logger.ts';
import type { Projection } from './projection.ts';

export interface ProjectionOptions<E extends DomainEvent> {
  readonly connection: NatsConnection;
  readonly stream: string;
  /** All subjects of the stream unless given. */
  readonly filterSubject?: string;
  readonly catalog: EventCatalog<E>;
  readonly projection: Projection<E>;
  /** How many events one `apply` gets at most. 1 000 unless given. */
  readonly maxBatch?: number;
  /** How many bytes of event data one `apply` gets at most, unless one event alone is larger. 16 MiB unless given. */
  readonly maxBatchBytes?: number;
  readonly logger: EventStoreLogger;
}
