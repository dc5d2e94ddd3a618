import { wroteDeadLetter } from '@mneme/telemetry';
import { headers as createHeaders, type MsgHdrs, type NatsConnection } from '@nats-io/nats-core';
import { openEraser } from '../erasure/eraser.ts';
import { EventLogUnavailableError } from '../errors.ts';
import { encodeText } from '../log/cloud-event.ts';
import { ensureStream, replicasOf } from '../log/ensure-stream.ts';
import { isUndelivered, openLog, type StoredMessage } from '../log/log.ts';
import { nextSequence } from '../log/reading/leader-read.ts';
import { maxPayload } from '../log/writing/parts.ts';

/** The JetStream stream that keeps what could not be read or handled, until an operator decides. */
export const deadLetterStream = 'PARKED';
export const deadLetterSubjects = 'parked.>';

/** The headers that a dead letter has beside those of the original. Names that are in the log stay as they are. */
export const deadLetterHeaders = {
  by: 'parked-by',
  reason: 'parked-reason',
  stream: 'parked-stream',
  subject: 'parked-subject',
  sequence: 'parked-sequence',
  time: 'parked-time',
  truncated: 'parked-truncated',
  aggregate: 'parked-aggregate',
  lane: 'parked-lane',
} as const;

const publishTimeoutMs = 5_000;

export interface DeadLetterReason {
  /** The durable consumer or the projection that could not read or handle it. */
  readonly by: string;
  readonly reason: string;
  /** What waits for it in a read model, and in which lane. */
  readonly aggregate?: string;
  readonly lane?: number;
}

/**
 * Keeps a copy of a message that cannot be read or handled, with the reason: once per reader, however often it comes. Of
 * a message that was erased since it came no copy is kept.
 * @throws EventLogUnavailableError when it could not be kept; the message must not be acknowledged then.
 */
export async function writeDeadLetter(
  connection: NatsConnection,
  message: StoredMessage,
  deadLetter: DeadLetterReason,
): Promise<void> {
  await keep(connection, message, deadLetter);
  // The version of a read model would be another series for each rebuild.
  const [reader = ''] = deadLetter.by.split('@');
  wroteDeadLetter.publish({ reader, stream: message.stream });
}

async function keep(connection: NatsConnection, message: StoredMessage, deadLetter: DeadLetterReason): Promise<void> {
  try {
    await keepCopy(connection, message, deadLetter);
  } catch (error) {
    if (!isUndelivered(error)) throw unavailable(error);
    // No stream has the subject yet: it is made for the first message that needs it.
    try {
      await ensureDeadLetterStream(connection, await replicasOf(connection, message.stream));
      await keepCopy(connection, message, deadLetter);
    } catch (cause) {
      throw unavailable(cause);
    }
  }
}

/** Makes the dead-letter stream; called by itself for the first dead letter. */
export function ensureDeadLetterStream(connection: NatsConnection, replicas: number): Promise<void> {
  return ensureStream(connection, { name: deadLetterStream, subjects: [deadLetterSubjects], replicas });
}

/** Looks for the original last, so that an erasure finds either the copy, or is found by this. */
async function keepCopy(
  connection: NatsConnection,
  message: StoredMessage,
  deadLetter: DeadLetterReason,
): Promise<void> {
  const sequence = await publishOnce(connection, message, deadLetter);
  const isErased =
    (await nextSequence(openLog(connection, message.stream), '>', message.sequence)) !== message.sequence;
  if (isErased) await openEraser(connection, deadLetterStream).erase([sequence]);
}

/** Returns where the copy stands. */
async function publishOnce(
  connection: NatsConnection,
  message: StoredMessage,
  deadLetter: DeadLetterReason,
): Promise<number> {
  const subject = `parked.${message.stream}.${deadLetter.by}`;
  const headers = headersFor(message, deadLetter);
  const isTooLarge = message.data.byteLength + headers.toString().length > maxPayload(connection);
  if (isTooLarge) headers.set(deadLetterHeaders.truncated, 'true');
  const data = isTooLarge ? new Uint8Array() : message.data;
  const reply = await connection.request(subject, data, { headers, timeout: publishTimeoutMs });
  const answer = reply.json<{ seq: number; error?: { description?: string } }>();
  if (answer.error) throw new Error(answer.error.description);
  return answer.seq;
}

function headersFor(message: StoredMessage, deadLetter: DeadLetterReason): MsgHdrs {
  const headers = createHeaders();
  for (const [name, values] of message.headers ?? []) {
    if (name.toLowerCase().startsWith('nats-')) continue;
    for (const value of values) headers.append(name, value);
  }
  headers.set('Nats-Msg-Id', `${deadLetter.by}/${message.stream}/${message.sequence}`);
  headers.set(deadLetterHeaders.by, deadLetter.by);
  headers.set(deadLetterHeaders.reason, encodeText(deadLetter.reason));
  headers.set(deadLetterHeaders.stream, message.stream);
  headers.set(deadLetterHeaders.subject, message.subject);
  headers.set(deadLetterHeaders.sequence, String(message.sequence));
  headers.set(deadLetterHeaders.time, new Date().toISOString());
  if (deadLetter.aggregate !== undefined) headers.set(deadLetterHeaders.aggregate, encodeText(deadLetter.aggregate));
  if (deadLetter.lane !== undefined) headers.set(deadLetterHeaders.lane, String(deadLetter.lane));
  return headers;
}

function unavailable(cause: unknown): EventLogUnavailableError {
  return new EventLogUnavailableError('An event could not be dead-lettered', { cause });
}
