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
  /** What more is waited for after, unless given: nothing. */
  readonly linger?: Linger;
  readonly logger: EventStoreLogger;
}

/** Events that others are about to follow, and that nobody is in a hurry to see: both are then written in one go. */
export interface Linger {
  /** Only a batch that holds nothing but these is kept waiting. */
  readonly after: readonly string[];
  /** For so long at most, in milliseconds. */
  readonly forMs: number;
  /** Whether the time runs from the batch before, so that what comes alone is not kept waiting. No unless given. */
  readonly isPaced?: boolean;
}
