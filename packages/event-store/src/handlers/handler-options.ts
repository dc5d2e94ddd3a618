import type { DomainEvent, EventCatalog } from '@mneme/contracts';
import type { Owner } from '@mneme/workers/fair-queue';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Logger } from 'pino';
import type { StoredMessage } from '../log/log.ts';
import type { Recorded } from '../recorded.ts';

/** How one delivery of an event can be followed and cut short. */
export interface DeliveryControl {
  /** 1 for the first delivery; a process or server that died in the middle counts as one. */
  readonly deliveryCount: number;
  /** Aborted when the handler is being stopped and its time to end has passed; the event is given back then. */
  readonly signal: AbortSignal;
}

export interface HandlerOptions<E extends DomainEvent, T extends E['type'] = E['type']> {
  readonly connection: NatsConnection;
  readonly stream: string;
  /** The name under which JetStream remembers how far this handler is; all instances share it and its work. */
  readonly durable: string;
  readonly filterSubject: string | readonly string[];
  /** The sequence at which a durable begins that does not exist yet; 1 unless given. */
  readonly startSequence?: number;
  /** The time without any instance after which the durable is removed, in milliseconds; never unless given. */
  readonly inactiveMs?: number;
  readonly catalog: EventCatalog<E>;
  /**
   * The types to handle; others of the catalog are passed over without being parsed. A type that the catalog lacks is of a
   * newer release: its events are never acknowledged here.
   */
  readonly types: readonly T[];
  /**
   * Must be idempotent: an event comes again when its acknowledgement was lost. A `HopelessError` gives the event up without
   * another try. Resolves to `idle` if there was nothing to do, and nothing else was asked.
   */
  readonly handle: (event: Recorded<Extract<E, { type: T }>>, control: DeliveryControl) => Promise<unknown>;
  /**
   * Events are handed out without their data, which are read when it is an event's turn. For a handler that passes over most
   * of them or takes long for each: events of megabytes would otherwise come to each handler that shares the connection.
   */
  readonly headersOnly?: boolean;
  /**
   * Whether an event of the given types has to be handled, as far as its headers tell; all are unless given. Asked when it is
   * its turn, before its data are read and parsed.
   */
  readonly concerns?: (message: StoredMessage) => boolean;
  /** How many events this instance works on at once; each instance adds its own. */
  readonly concurrency: number;
  /**
   * The owner of an event: a tenant, and one of the tenant's own. Events are read ahead and tenants take turns, so that one
   * with a long queue holds up no other; events are handled in the order of the log within one owner only. A quarter more
   * workers are kept for tenants with nothing in work. Unless given, all events have the same owner.
   */
  readonly ownerOf?: (message: StoredMessage) => Owner;
  /** How many events may wait for their turn in one instance; 10 000 unless given. */
  readonly readAhead?: number;
  /**
   * Whether an event waits until the ones before it of the same owner are done; they may overlap unless given. It holds within
   * this instance, which offers others nothing of what it has read ahead. Events that are tried again later, and dead letters
   * that an operator retries, do not hold the others up, and may be handled beside them.
   *
   * When all that may wait are of owners with an event in work, those of others behind them are found in the log and handled
   * before the consumer hands them out; `isLarge` judges them by their headers. This does not work for several filters.
   */
  readonly oneAtATime?: boolean;
  /**
   * Whether the events of an owner are left waiting for now, for example because what they lead to is still being worked on
   * elsewhere. Asked before an event begins, and again every 100 ms. Only while fewer than half of `readAhead` events wait,
   * since others would have no room. None are unless given.
   * @param inWork how many events of the owner are in work
   */
  readonly isHeldBack?: (owner: Owner, inWork: number) => boolean;
  /** Whether an event takes long to handle: half of the workers are kept for those that do not. */
  readonly isLarge?: (message: StoredMessage) => boolean;
  /** How many of those are handled at once, if that is to be less than half of `concurrency`; 1 at least. */
  readonly maxLarge?: number | undefined;
  /** Told of each delivery of an event whose type the catalog lacks, for a metric. */
  readonly onUnknownType?: ((type: string, durable: string) => void) | undefined;
  /** After how long a silent instance loses its event to another one, in milliseconds. Long work is kept by heartbeats. */
  readonly ackWaitMs: number;
  /**
   * Whether an error says that something else is away, such as another service. Such a failure counts only while other
   * events succeed that were not `idle`, so that no event is given up in an outage, however long: it is tried again after
   * the longest wait, with a warning each time. None says so unless given; a log that is away always does.
   */
  readonly isOutage?: (error: Error) => boolean;
  /** After how many failures the event is given up as `onExhausted` says; 35 unless given. */
  readonly maxTries?: number;
  /** How long to wait after the given failure, counted from 1, in milliseconds; from a second to a minute unless given. */
  readonly backoffMs?: (tries: number) => number;
  /**
   * How long an error asks to wait at least, in milliseconds, such as a model server with `Retry-After`; undefined when it
   * does not. No more than 15 minutes are waited for it. No error asks for anything unless given.
   */
  readonly retryAfterMs?: (error: Error) => number | undefined;
  /**
   * Makes the failure known, for instance by appending an event; when it throws, both are tried again later. `dead-letter`
   * keeps a copy of the event with the reason, for an operator to retry or discard.
   */
  readonly onExhausted: ((event: Recorded<Extract<E, { type: T }>>, error: Error) => Promise<void>) | 'dead-letter';
  readonly logger: EventStoreLogger;
  /** How long `stop` lets running work go on, in milliseconds. 6 000 unless given. */
  readonly stopTimeoutMs?: number;
}

/** These tries, with their waits, bridge about half an hour without a model. */
export const handlerDefaults = {
  maxTries: 35,
  readAhead: 10_000,
  backoffMs: (tries: number) => Math.min(1_000 * 2 ** (tries - 1), 60_000),
} as const satisfies Partial<HandlerOptions<never>>;

/** Options of which nothing that has a default is missing. */
export type CompleteOptions<E extends DomainEvent, T extends E['type'] = E['type']> = HandlerOptions<E, T> &
  Required<Pick<HandlerOptions<E, T>, keyof typeof handlerDefaults>>;

/** The part of a pino logger that this package uses. */
export type EventStoreLogger = Pick<Logger, 'info' | 'warn' | 'error'>;
