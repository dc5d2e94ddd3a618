import type { DomainEvent, EventCatalog } from '@mneme/contracts';
import type { NatsConnection } from '@nats-io/nats-core';
import { v7 as uuidv7 } from 'uuid';
import { watchConnection } from './connection-watch.ts';
import { BatchTooLargeError } from './errors.ts';
import { appendMessages } from './log/append.ts';
import { decodeEvent } from './log/decode.ts';
import { type Encoding, encodeEvent } from './log/encode.ts';
import { headOf, lastMessage, lastSequence } from './log/leader-read.ts';
import { firstSubject, hasWildcard, readSubject } from './log/load.ts';
import { type Log, openLog } from './log/log.ts';
import { mapInTurns } from './map-in-turns.ts';
import type { Position } from './position.ts';
import type { EventContext, Recorded } from './recorded.ts';

/** How many events one append can write at once. */
export const maxBatchEvents = 1000;

export interface EventStoreOptions<E extends DomainEvent> {
  readonly connection: NatsConnection;
  /** The JetStream stream, made by `ensureStream`. */
  readonly stream: string;
  readonly catalog: EventCatalog<E>;
  /** The service that appends, for example `memory-ingest`. */
  readonly source: string;
  readonly clock?: () => Date;
  /** Makes event ids; UUIDv7 unless given. They must never repeat. */
  readonly newId?: () => string;
  /** How long one append or load may take in all, in milliseconds. 5 000 unless given. */
  readonly timeoutMs?: number;
}

/** What one aggregate has been through. */
export interface LoadedStream<E> {
  /** The literal subject; undefined when a pattern matched nothing. */
  readonly subject: string | undefined;
  readonly events: readonly Recorded<E>[];
  /** The sequence of the last event, which the next append expects; 0 for an empty subject. */
  readonly revision: number;
}

export interface EventStore<E> {
  /**
   * Writes events to one literal subject: all of them or none.
   * @param expected the revision that `load` returned, 0 for an empty subject, or `any`.
   * @returns the position of the last event.
   * @throws ConflictError when the subject is at another revision.
   * @throws EventTooLargeError, BatchTooLargeError, InvalidEventError before anything is written.
   * @throws EventLogUnavailableError when the log did not answer in time, or the connection was lost and did not
   * return within 1.5 s; its `mayBeWritten` says whether the events may stand there.
   */
  append(subject: string, events: readonly E[], expected: number | 'any', context: EventContext): Promise<Position>;
  /**
   * Reads all events of one subject. With wildcards, of the first literal subject that has any.
   *
   * On a replicated stream the answer may come from a replica that lags; a decision made on it is safe all the same,
   * since `append` with the returned revision is checked by the leader.
   * @throws UnreadableEventError when one of them cannot be read.
   * @throws EventLogUnavailableError when the log does not answer.
   */
  load(subject: string): Promise<LoadedStream<E>>;
  /**
   * Reads the last event of a subject from the leader, however many there are before it; undefined when there is none.
   * @throws UnreadableEventError when it cannot be read.
   * @throws EventLogUnavailableError when the log does not answer.
   */
  last(subject: string): Promise<Recorded<E> | undefined>;
  /**
   * The sequence of the last message of the JetStream stream, from its leader; 0 when there never was one.
   * @param subject may have wildcards: the last message that matches; 0 when there is none.
   */
  head(subject?: string): Promise<number>;
}

/** Opens a JetStream stream for appending and loading; the server is first asked by the first call. */
export function connectEventStore<E extends DomainEvent>(options: EventStoreOptions<E>): EventStore<E> {
  const { connection, stream, timeoutMs } = options;
  const watch = watchConnection(connection);
  const log = openLog(connection, stream, { watch, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  return {
    append: (subject, events, expected, context) =>
      append(log, encodingFor(options), { subject, events, expected, context }),
    load: (subject) => load(log, options.catalog, subject),
    last: async (subject) => {
      const message = await lastMessage(log, subject);
      return message && decodeEvent(options.catalog, message);
    },
    head: (subject) => (subject === undefined ? headOf(log) : lastSequence(log, subject)),
  };
}

function encodingFor<E extends DomainEvent>(options: EventStoreOptions<E>): Encoding {
  return {
    catalog: options.catalog,
    stream: options.stream,
    source: options.source,
    clock: options.clock ?? (() => new Date()),
    newId: options.newId ?? uuidv7,
    maxPayload: maxPayload(options.connection),
  };
}

/** What the connected server takes in one message; asked each time, since a reconnect may lead to another server. */
function maxPayload(connection: NatsConnection): number {
  return connection.info?.max_payload ?? 1024 * 1024;
}

async function append(
  log: Log,
  encoding: Encoding,
  request: {
    subject: string;
    events: readonly DomainEvent[];
    expected: number | 'any';
    context: EventContext;
  },
): Promise<Position> {
  const { subject, expected, context } = request;
  if (request.events.length === 0) throw new RangeError('An append needs at least one event');
  if (request.events.length > maxBatchEvents) throw new BatchTooLargeError(request.events.length, maxBatchEvents);
  if (context.eventId !== undefined && request.events.length > 1) throw new RangeError('One id is for one event');
  if (hasWildcard(subject)) throw new RangeError(`Events are appended to one literal subject, not to ${subject}`);
  const events = await mapInTurns(request.events, (event) => encodeEvent(encoding, subject, event, context));
  const sequence = await appendMessages(log, { subject, events, expected });
  return { stream: log.stream, sequence };
}

async function load<E extends DomainEvent>(
  log: Log,
  catalog: EventCatalog<E>,
  pattern: string,
): Promise<LoadedStream<E>> {
  const subject = hasWildcard(pattern) ? await firstSubject(log, pattern) : pattern;
  if (subject === undefined) return { subject, events: [], revision: 0 };
  const messages = await readSubject(log, subject);
  const events = await mapInTurns(messages, (message) => decodeEvent(catalog, message));
  return { subject, events, revision: messages.at(-1)?.sequence ?? 0 };
}
