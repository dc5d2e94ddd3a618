import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/nats-core';
import { type Log, openLog, reading, type StoredMessage, storedFrom } from '../log.ts';
import { lastFromLeader, nextSequence } from './leader-read.ts';
import { waitForReplica } from './replica-wait.ts';

/** How many messages one request asks for. */
const pageSize = 1_000;
/** The shortest that the client allows. */
const fetchExpiryMs = 1_000;
const maxSilences = 10;
/** The time without a request after which the server forgets the reader, should this process have died. */
const abandonedAfterMs = 30_000;
/** How often to read again when the replica that was read from is behind the leader. */
const maxPauses = 25;

/** A stored message without its data. */
export interface TimedMessage extends StoredMessage {
  /** When it was stored, in milliseconds since 1970, by the clock of the server. */
  readonly timeMs: number;
}

export interface HeaderQuery<T> {
  readonly stream: string;
  /** The subject of the messages; wildcards allowed. */
  readonly subject: string;
  /** What to keep of each message; its headers are heavy. */
  readonly pick: (message: TimedMessage) => T;
  /** How many messages to read at most, the first ones; all unless given. */
  readonly limit?: number | undefined;
  /** Messages that the server stored before this time are not read; all are unless given. */
  readonly startTime?: Date | undefined;
  /** Messages before this sequence are not read; all are unless given. Not together with a start time. */
  readonly startSequence?: number | undefined;
  /** Nothing is read after the first message for which this returns true; that message is still picked. */
  readonly isLast?: ((message: TimedMessage) => boolean) | undefined;
}

/**
 * Reads messages without their data: those that match a query now, in order. The server reads them from any replica; when
 * that is behind the leader, they are read again, and picked again.
 * @returns what was picked of each; all of it is held in memory.
 * @throws EventLogUnavailableError when the log does not answer, only replicas do that stay behind, or the connection was
 * lost with messages on their way.
 */
export async function readHeaders<T>(connection: NatsConnection, query: HeaderQuery<T>): Promise<T[]> {
  const { stream } = query;
  const log = openLog(connection, stream);
  const last = await lastOf(log, query);
  for (let pauses = 0; ; pauses += 1) {
    const read = await reading(log, () => readOnce(connection, query));
    if (read.isEnded || !(await hasMore(log, query, { from: read.upTo + 1, upTo: last }))) return read.picked;
    await waitForReplica({ of: stream, pauses, maxPauses });
  }
}

/** The sequence of the last message that matches a query now, from the leader; 0 when there is none. */
async function lastOf<T>(log: Log, { subject, startTime }: HeaderQuery<T>): Promise<number> {
  const last = await lastFromLeader(log, subject);
  return last && (startTime === undefined || last.timeMs >= startTime.getTime()) ? last.sequence : 0;
}

/** Whether the leader still has a message that matches within a range of sequences; with a start time, the last of them. */
async function hasMore<T>(
  log: Log,
  { subject, startTime, startSequence = 1 }: HeaderQuery<T>,
  { from, upTo }: { readonly from: number; readonly upTo: number },
): Promise<boolean> {
  if (Math.max(from, startSequence) > upTo) return false;
  // What comes before the first that was read may be older than the start time.
  const next = await nextSequence(log, subject, startTime === undefined ? Math.max(from, startSequence) : upTo);
  return next !== undefined && next <= upTo;
}

/** What was read by one consumer. */
interface HeaderRead<T> {
  readonly picked: T[];
  /** The sequence of the last message that was read; 0 when there was none. */
  readonly upTo: number;
  /** Whether the query wants no more, whatever there is. */
  readonly isEnded: boolean;
}

async function readOnce<T>(connection: NatsConnection, query: HeaderQuery<T>): Promise<HeaderRead<T>> {
  const { stream, subject } = query;
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const { name, num_pending: count } = await manager.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    ...startOf(query),
    filter_subject: subject,
    headers_only: true,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: nanos(abandonedAfterMs),
  });
  try {
    const consumer = await jetstream(connection).consumers.get(stream, name);
    return await readAll(consumer, count, query);
  } finally {
    await manager.consumers.delete(stream, name).catch(() => undefined);
  }
}

function startOf<T>({ startTime, startSequence }: HeaderQuery<T>) {
  if (startTime !== undefined)
    return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: startTime.toISOString() };
  if (startSequence === undefined) return { deliver_policy: DeliverPolicy.All };
  return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: startSequence };
}

/** @param count how many there are; what is erased meanwhile does not come. */
async function readAll<T>(
  consumer: Consumer,
  count: number,
  { pick, limit = Number.POSITIVE_INFINITY, isLast = () => false }: HeaderQuery<T>,
): Promise<HeaderRead<T>> {
  const picked: T[] = [];
  let upTo = 0;
  let silences = 0;
  for (let left = Math.min(count, limit); left > 0; ) {
    const messages = await consumer.fetch({ max_messages: Math.min(left, pageSize), expires: fetchExpiryMs });
    const before = picked.length;
    for await (const message of messages) {
      assertNoneLost(message.info.deliverySequence - 1, picked.length);
      const timed = timedFrom(message);
      picked.push(pick(timed));
      upTo = timed.sequence;
      if (isLast(timed)) return { picked, upTo, isEnded: true };
      left = Math.min(message.info.pending, limit - picked.length);
    }
    if (picked.length > before) continue;
    // Either nothing is left, or the server is slow; only the server knows.
    const { num_pending, delivered } = await consumer.info();
    assertNoneLost(delivered.consumer_seq, picked.length);
    left = Math.min(num_pending, limit - picked.length);
    silences += 1;
    if (silences > maxSilences) throw new Error(`The server has handed out none of ${left} messages`);
  }
  return { picked, upTo, isEnded: picked.length >= limit };
}

/** What is on its way when the connection breaks counts as delivered, and does not come again. */
export function assertNoneLost(delivered: number, read: number): void {
  if (delivered !== read)
    throw new Error(`Of ${delivered} messages that were handed out, ${delivered - read} were lost`);
}

function timedFrom(message: JsMsg): TimedMessage {
  return { ...storedFrom(message), timeMs: message.info.timestampNanos / 1e6 };
}
