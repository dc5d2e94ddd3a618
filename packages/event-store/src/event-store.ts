import type { DomainEvent, EventCatalog } from '@mneme/contracts';
import { mapInSlices } from '@mneme/workers/time-slices';
import type { NatsConnection } from '@nats-io/nats-core';
import { v7 as uuidv7 } from 'uuid';
import { BatchTooLargeError } from './errors.ts';
import { watchConnection } from './log/connection-watch.ts';
import { decodeEvent } from './log/decode.ts';
import { type Encoding, encodeEvent } from './log/encode.ts';
import { type Log, openLog, type StoredMessage } from './log/log.ts';
import { lastOfType } from './log/reading/last-of-type.ts';
import { LastPositions } from './log/reading/last-positions.ts';
import { headOf, lastMessage, lastSequence } from './log/reading/leader-read.ts';
import { type Folded, firstSubject, foldSubject, hasWildcard, type Known, readPages } from './log/reading/load.ts';
import { waitForReplica } from './log/reading/replica-wait.ts';
import { appendMessages } from './log/writing/append.ts';
import { maxPayload } from './log/writing/parts.ts';
import { observeAppend } from './observe-append.ts';
import type { EventContext, Position, Recorded } from './recorded.ts';

/** How many bytes of events `load` holds in memory, unless the options say otherwise. */
const defaultMaxLoadBytes = 64 * 1024 * 1024;
/** How many bytes of events `fold` passes through, unless the options say otherwise; it holds one page of them at a time. */
const defaultMaxFoldBytes = 1024 * 1024 * 1024;

/** How many events one append can write at once. */
const maxBatchEvents = 1000;
/** How many bytes of events one append can write at once, unless the options say otherwise: twice what a batch of facts may have. */
const defaultMaxAppendBytes = 256 * 1024 * 1024;

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
  /** How many bytes of data one `append` may write; 256 MiB unless given. */
  readonly maxAppendBytes?: number;
  /** How many bytes of data one `load` may read; 64 MiB unless given. */
  readonly maxLoadBytes?: number;
  /** How many bytes of data one `fold` may pass through; 1 GiB unless given. */
  readonly maxFoldBytes?: number;
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
   * @throws HistoryTooLargeError when they have more than `maxLoadBytes` together: all of them are held in memory.
   * @throws EventLogUnavailableError when the log does not answer.
   */
  load(subject: string): Promise<LoadedStream<E>>;
  /**
   * Folds the events of one literal subject into a state while they are read, so that a long history is never in memory.
   * @param known the result of an earlier fold with the same `evolve` and `initial`: only what came after it is read.
   * Where its last event is gone, because it was erased or purged, or is another one in a restored log, the fold begins anew.
   * @throws UnreadableEventError when one of them cannot be read.
   * @throws HistoryTooLargeError when more than `maxFoldBytes` would have to be read.
   * @throws EventLogUnavailableError when the log does not answer.
   */
  fold<S>(
    subject: string,
    evolve: (state: S, event: Recorded<E>) => S,
    initial: S,
    known?: Known<S>,
  ): Promise<Folded<S>>;
  /**
   * Reads the last event of a subject from the leader, however many there are before it; undefined when there is none.
   * @throws UnreadableEventError when it cannot be read.
   * @throws EventLogUnavailableError when the log does not answer.
   */
  last(subject: string): Promise<Recorded<E> | undefined>;
  /**
   * Where the last event of a subject stands, from the leader; undefined when there is none. The event is not read, which
   * takes milliseconds if it is large.
   * @param subject may have wildcards that match one literal subject at most
   * @throws EventLogUnavailableError when the log does not answer.
   */
  lastPosition(subject: string): Promise<{ readonly subject: string; readonly position: Position } | undefined>;
  /**
   * The sequence of the last message of the JetStream stream, from its leader; 0 when there never was one.
   * @param subject may have wildcards that match one literal subject at most; 0 when there is none.
   */
  head(subject?: string): Promise<number>;
  /**
   * The sequence of the last event of a wanted type; 0 when there is none. The events themselves are not read.
   * @param isWanted gets the types of events, and undefined for a message that is no event
   * @param after only events after this sequence are read
   * @throws EventLogUnavailableError when the log does not answer.
   */
  lastOfType(subject: string, isWanted: (type: string | undefined) => boolean, after: number): Promise<number>;
}

/** Opens a JetStream stream for appending and loading; the server is first asked by the first call. */
export function connectEventStore<E extends DomainEvent>(options: EventStoreOptions<E>): EventStore<E> {
  const { connection, stream, timeoutMs } = options;
  const watch = watchConnection(connection);
  const log = openLog(connection, stream, { watch, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const lastPositions = new LastPositions(log);
  return {
    append: (subject, events, expected, context) =>
      append(log, encodingFor(options), { subject, events, expected, context }),
    load: (subject) => load(log, options, subject),
    fold: (subject, evolve, initial, known) => {
      const decode = (message: StoredMessage) => decodeEvent(options.catalog, message);
      const maxBytes = options.maxFoldBytes ?? defaultMaxFoldBytes;
      return foldSubject(log, {
        subject,
        maxBytes,
        initial,
        known,
        evolve: (state, each) => evolve(state, decode(each)),
      });
    },
    last: async (subject) => {
      const message = await lastMessage(log, subject);
      return message && decodeEvent(options.catalog, message);
    },
    lastPosition: async (subject) => {
      const last = await lastPositions.find(subject);
      return last && { subject: last.subject, position: { stream, sequence: last.sequence } };
    },
    head: (subject) => (subject === undefined ? headOf(log) : lastSequence(log, subject)),
    lastOfType: (subject, isWanted, after) => lastOfType(log, { subject, isWanted, after }),
  };
}

interface AppendEncoding extends Encoding {
  /** Of all events of one append together. */
  readonly maxBytes: number;
}

function encodingFor<E extends DomainEvent>(options: EventStoreOptions<E>): AppendEncoding {
  return {
    catalog: options.catalog,
    stream: options.stream,
    source: options.source,
    clock: options.clock ?? (() => new Date()),
    newId: options.newId ?? uuidv7,
    maxPayload: maxPayload(options.connection),
    maxBytes: options.maxAppendBytes ?? defaultMaxAppendBytes,
  };
}

interface AppendRequest {
  readonly subject: string;
  readonly events: readonly DomainEvent[];
  readonly expected: number | 'any';
  readonly context: EventContext;
}

function append(log: Log, encoding: AppendEncoding, request: AppendRequest): Promise<Position> {
  const about = { service: encoding.source, stream: log.stream, types: request.events.map(({ type }) => type) };
  return observeAppend(about, () => appendEncoded(log, encoding, request));
}

async function appendEncoded(log: Log, encoding: AppendEncoding, request: AppendRequest): Promise<Position> {
  const { subject, expected, context } = request;
  if (request.events.length === 0) throw new RangeError('An append needs at least one event');
  if (request.events.length > maxBatchEvents)
    throw new BatchTooLargeError(request.events.length, maxBatchEvents, 'events');
  if (context.eventId !== undefined && request.events.length > 1) throw new RangeError('One id is for one event');
  if (hasWildcard(subject)) throw new RangeError(`Events are appended to one literal subject, not to ${subject}`);
  let bytes = 0;
  const events = await mapInSlices(request.events, (event) => {
    const encoded = encodeEvent(encoding, subject, event, context);
    bytes += encoded.data.byteLength;
    if (bytes > encoding.maxBytes) throw new BatchTooLargeError(bytes, encoding.maxBytes, 'bytes');
    return encoded;
  });
  const sequence = await appendMessages(log, { subject, events, expected });
  return { stream: log.stream, sequence };
}

async function load<E extends DomainEvent>(
  log: Log,
  { catalog, maxLoadBytes: maxBytes = defaultMaxLoadBytes }: EventStoreOptions<E>,
  pattern: string,
): Promise<LoadedStream<E>> {
  const subject = hasWildcard(pattern) ? await firstSubject(log, pattern) : pattern;
  if (subject === undefined) return { subject, events: [], revision: 0 };
  const events: Recorded<E>[] = [];
  for await (const page of readPages(log, { subject, from: 1, maxBytes })) {
    events.push(...(await mapInSlices(page, (message) => decodeEvent(catalog, message))));
  }
  return { subject, events, revision: events.at(-1)?.position.sequence ?? 0 };
}

/** How often to wait for a replica that is behind the leader. */
const maxPauses = 24;

/**
 * The event store, with a `load` and a `fold` that read everything which was in the log when they were called. A replica may
 * lag behind the leader, and a decision must not mistake an event that it lacks for one that does not exist.
 */
export function newestStore<E>(store: EventStore<E>): EventStore<E> {
  return {
    ...store,
    load: (subject) => untilNewest(store, subject, () => store.load(subject)),
    fold: (subject, evolve, initial, known) =>
      untilNewest(store, subject, () => store.fold(subject, evolve, initial, known)),
  };
}

/** @throws EventLogUnavailableError when the replicas stay behind the leader. */
async function untilNewest<E, T extends { readonly revision: number }>(
  store: EventStore<E>,
  subject: string,
  read: () => Promise<T>,
): Promise<T> {
  const reading = read();
  const [, head] = await Promise.all([reading, store.head(subject)]);
  let loaded = await reading;
  for (let pauses = 0; loaded.revision < head; pauses += 1) {
    await waitForReplica({ of: subject, pauses, maxPauses });
    loaded = await read();
  }
  return loaded;
}
