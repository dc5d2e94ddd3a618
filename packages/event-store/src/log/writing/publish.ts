import { type ApiError, JetStreamApiError } from '@nats-io/jetstream';
import type { Msg, NatsConnection } from '@nats-io/nats-core';
import { asError } from '../../errors.ts';
import type { ConnectionWatch } from '../connection-watch.ts';
import type { EncodedEvent } from '../encode.ts';
import { isUndelivered } from '../log.ts';
import { conflictCodes } from './conflicts.ts';

/** What became of one attempt to write events. */
export type PublishOutcome =
  | { readonly kind: 'stored'; readonly sequence: number }
  /** The subject's revision is another one: another writer's event, or our own from an attempt whose answer was lost. */
  | { readonly kind: 'conflict'; readonly error: Error }
  /** The server says that it has these ids already. */
  | { readonly kind: 'duplicate'; readonly error: Error }
  | { readonly kind: 'not-written'; readonly error: Error }
  | { readonly kind: 'unknown'; readonly error: Error };

/** One attempt; `expected` undefined means that any revision will do. */
export interface Publication {
  readonly connection: NatsConnection;
  /** Ends the wait for the answer when the connection is lost. */
  readonly watch: ConnectionWatch | undefined;
  readonly subject: string;
  readonly events: readonly EncodedEvent[];
  readonly expected: number | undefined;
  /** Names the attempt, not the events: a batch that was cut off cannot be continued under its name. */
  readonly batchId: string;
  /** The longest wait for one answer. */
  readonly timeoutMs: number;
}

interface PublishReply {
  readonly seq?: number;
  readonly error?: ApiError;
}

const duplicateInBatchCode = 10201;

/** Publishes one event as a plain message, several as one atomic batch, and says what the server made of it. */
export async function publish(publication: Publication): Promise<PublishOutcome> {
  const last = publication.events.at(-1);
  if (!last) throw new Error('Nothing to publish');
  try {
    setHeaders(publication);
    const refusal = await publishFirst(publication);
    return refusal ?? outcomeOf((await ask(publication, last)).json<PublishReply>());
  } catch (error) {
    const kind = isUndelivered(error) ? 'not-written' : 'unknown';
    return { kind, error: asError(error) };
  }
}

/**
 * The server's answer is awaited after this many bytes. What other callers publish over the same connection would otherwise
 * wait in its buffer behind all of a large batch, which may take seconds.
 */
const bytesPerAnswer = 1024 * 1024;

/** Publishes all events but the last. @returns why the server refuses the batch; undefined when it has taken all of it so far */
async function publishFirst(publication: Publication): Promise<PublishOutcome | undefined> {
  const { connection, subject, events } = publication;
  let bytes = 0;
  for (const event of events.slice(0, -1)) {
    bytes += event.data.byteLength;
    if (bytes < bytesPerAnswer) {
      connection.publish(subject, event.data, { headers: event.headers });
      continue;
    }
    bytes = 0;
    const answer = await ask(publication, event);
    // The answer within a batch is empty unless it is an error.
    if (answer.data.byteLength > 0) return outcomeOf(answer.json<PublishReply>());
  }
  return undefined;
}

function ask({ connection, watch, subject, timeoutMs }: Publication, { data, headers }: EncodedEvent): Promise<Msg> {
  const answer = connection.request(subject, data, { headers, timeout: timeoutMs });
  return watch?.whileUp(answer) ?? answer;
}

function setHeaders({ events, expected, batchId }: Publication): void {
  const first = events[0];
  if (expected !== undefined) first?.headers.set('Nats-Expected-Last-Subject-Sequence', String(expected));
  if (events.length === 1) return;
  for (const [index, event] of events.entries()) {
    event.headers.set('Nats-Batch-Id', batchId);
    event.headers.set('Nats-Batch-Sequence', String(index + 1));
  }
  events.at(-1)?.headers.set('Nats-Batch-Commit', '1');
}

function outcomeOf(reply: PublishReply): PublishOutcome {
  if (!reply.error) {
    if (reply.seq === undefined) return { kind: 'unknown', error: new Error('The answer holds no sequence') };
    return { kind: 'stored', sequence: reply.seq };
  }
  const cause = new JetStreamApiError(reply.error);
  const { code } = cause;
  const error = new Error(`${cause.message} (${code})`, { cause });
  if (conflictCodes.has(code)) return { kind: 'conflict', error };
  if (code === duplicateInBatchCode) return { kind: 'duplicate', error };
  return { kind: 'not-written', error };
}
