import { WireError } from '@mneme/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/nats-core';
import { openEraser } from '../erasure/eraser.ts';
import { decodeText } from '../log/cloud-event.ts';
import { streamExists, streamInfo } from '../log/ensure-stream.ts';
import type { StoredMessage } from '../log/log.ts';
import { readDirect } from '../log/reading/direct-read.ts';
import { readHeaders } from '../log/reading/read-headers.ts';
import type { Position } from '../recorded.ts';
import { deadLetterHeaders, deadLetterStream, deadLetterSubjects } from './write-dead-letter.ts';

const readTimeoutMs = 5_000;
const usualRetryTimeoutMs = 120_000;

/** A message that some reader could not read, or gave up. */
export interface DeadLetter {
  /** Its own place in the dead-letter stream; names it in `retry` and `discard`. */
  readonly sequence: number;
  /** The handler (its durable name) or projection (`name@version`) that wrote it. */
  readonly by: string;
  readonly reason: string;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly type: string | undefined;
  readonly subject: string;
  /** Where the original stands. */
  readonly position: Position;
  /** Undefined when the data did not fit beside the added headers; the original still has them. */
  readonly data: Uint8Array | undefined;
  /** What waits for it in a read model; undefined when it was not written by a read model. */
  readonly aggregate: string | undefined;
}

export interface DeadLetterPage {
  readonly entries: readonly DeadLetter[];
  /** Where the next page begins; undefined when there is none. */
  readonly next: number | undefined;
}

export interface DeadLetters {
  /** The dead letters in order, from a place on, until `limit` or about `maxBytes` are reached; and where to go on, if there are more. */
  page(from: number, limit: number, maxBytes: number): Promise<DeadLetterPage>;
  /** How many there are. */
  count(): Promise<number>;
  /**
   * Asks the running handler to handle the original again, and discards the dead letter when that worked.
   * @throws Error with the handler's reason when it failed again, or when no instance of it runs; WireError 504 when it
   * takes longer than it is waited for. What a projection wrote cannot be retried by itself, since its place in the order
   * is past: rebuild the read model.
   */
  retry(sequence: number): Promise<void>;
  /** The dead letter at a place; undefined when there is none. */
  find(sequence: number): Promise<DeadLetter | undefined>;
  /** Removes a dead letter; the log keeps the original. */
  discard(sequence: number): Promise<void>;
  /**
   * Erases all dead letters that a reader of a stream has written.
   * @throws EventLogUnavailableError when the dead-letter stream does not answer
   */
  discardAllOf(stream: string, by: string): Promise<void>;
  /**
   * Erases the copies of certain originals; see `Eraser` for what that means.
   * Call it after the originals are erased: a copy that is written later is then removed again by its writer.
   * @throws EventLogUnavailableError when the dead-letter stream does not answer.
   */
  eraseCopies(isMeant: (original: Original) => boolean): Promise<void>;
}

/** What a dead letter is a copy of. */
export interface Original {
  readonly stream: string;
  readonly subject: string;
  /** Its place in the log, also when it was erased there. */
  readonly sequence: number;
}

/** Where a handler takes requests to handle one event again, by its sequence. */
export function retrySubject(stream: string, durable: string): string {
  return `mneme.handler.${stream}.${durable}.retry`;
}

/** For a retry that takes longer than its caller waits: its dead letter stays in the list until its result is known. */
export function retryGoesOn(): WireError {
  const message = 'It goes on; look at the list again, and do the same once more if it is still there';
  return new WireError({ status: 504, code: 'TIMEOUT', message });
}

/**
 * What operators need to look at, retry and discard dead letters.
 * @param retryTimeoutMs how long a retry is waited for
 */
export function deadLetters(connection: NatsConnection, retryTimeoutMs = usualRetryTimeoutMs): DeadLetters {
  const discard = async (sequence: number) => {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    await manager.streams.deleteMessage(deadLetterStream, sequence);
  };
  const find = async (sequence: number) => {
    const [letter] = (await readPage(connection, sequence, 1, 1)).entries;
    return letter?.sequence === sequence ? letter : undefined;
  };
  return {
    find,
    discardAllOf: async (stream, by) => {
      if (!(await streamExists(connection, deadLetterStream))) return;
      const eraser = openEraser(connection, deadLetterStream);
      const copies = await eraser.find(`parked.${stream}.${by}`);
      await eraser.erase(copies.map((copy) => copy.sequence));
    },
    count: async () => (await streamInfo(connection, deadLetterStream))?.state.messages ?? 0,
    page: (from, limit, maxBytes) => readPage(connection, from, limit, maxBytes),
    discard,
    eraseCopies: (isMeant) => eraseCopies(connection, isMeant),
    retry: async (sequence) => {
      const letter = await find(sequence);
      if (!letter) throw new Error(`There is no dead letter at ${sequence}`);
      await requestRetry(connection, letter, retryTimeoutMs);
      await discard(sequence);
    },
  };
}

async function readPage(
  connection: NatsConnection,
  from: number,
  limit: number,
  maxBytes: number,
): Promise<DeadLetterPage> {
  const query = { stream: deadLetterStream, subject: deadLetterSubjects, from, limit, maxBytes };
  // The stream is made with the first dead letter.
  if (!(await streamExists(connection, deadLetterStream))) return { entries: [], next: undefined };
  const { messages, left } = await readDirect(connection, { ...query, timeoutMs: readTimeoutMs });
  const last = messages.at(-1);
  return { entries: messages.map(toDeadLetter), next: left > 0 && last ? last.sequence + 1 : undefined };
}

async function eraseCopies(connection: NatsConnection, isMeant: (original: Original) => boolean): Promise<void> {
  if (!(await streamExists(connection, deadLetterStream))) return;
  const copies = await readHeaders(connection, {
    stream: deadLetterStream,
    subject: deadLetterSubjects,
    pick: ({ sequence, headers }) => {
      const header = (name: string) => headers?.get(name) ?? '';
      const original = {
        stream: header(deadLetterHeaders.stream),
        subject: header(deadLetterHeaders.subject),
        sequence: Number(header(deadLetterHeaders.sequence)),
      };
      return { sequence, original };
    },
  });
  const meant = copies.filter(({ original }) => isMeant(original));
  await openEraser(connection, deadLetterStream).erase(meant.map(({ sequence }) => sequence));
}

function toDeadLetter(message: StoredMessage): DeadLetter {
  const header = (name: string) => decodeText(message.headers?.get(name) ?? '');
  return {
    sequence: message.sequence,
    by: header(deadLetterHeaders.by),
    reason: header(deadLetterHeaders.reason),
    time: header(deadLetterHeaders.time),
    type: header('ce-type') || undefined,
    subject: header(deadLetterHeaders.subject),
    position: { stream: header(deadLetterHeaders.stream), sequence: Number(header(deadLetterHeaders.sequence)) },
    data: header(deadLetterHeaders.truncated) ? undefined : new Uint8Array(message.data),
    aggregate: header(deadLetterHeaders.aggregate) || undefined,
  };
}

async function requestRetry(connection: NatsConnection, { by, position }: DeadLetter, timeout: number): Promise<void> {
  const subject = retrySubject(position.stream, by);
  const reply = await connection.request(subject, String(position.sequence), { timeout }).catch((error: unknown) => {
    throw error instanceof errors.TimeoutError ? retryGoesOn() : error;
  });
  const { error } = reply.json<{ error?: string }>();
  if (error) throw new Error(error);
}
