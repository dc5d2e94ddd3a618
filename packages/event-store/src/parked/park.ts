import { jetstreamManager } from '@nats-io/jetstream';
import { headers as createHeaders, type MsgHdrs, type NatsConnection } from '@nats-io/nats-core';
import { ensureStream } from '../ensure-stream.ts';
import { EventLogUnavailableError } from '../errors.ts';
import { encodeText } from '../log/cloud-event.ts';
import { openEraser } from '../log/eraser.ts';
import { nextSequence } from '../log/leader-read.ts';
import { isUndelivered, openLog } from '../log/log.ts';
import type { StoredMessage } from '../log/stored-message.ts';

/** The JetStream stream that keeps what could not be read or handled, until an operator decides. */
export const parkedStream = 'PARKED';
export const parkedSubjects = 'parked.>';

/** The headers that a parked message has beside those of the original. */
export const parkedHeaders = {
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

export interface Parking {
  /** The durable consumer or the projection that could not read or handle it. */
  readonly by: string;
  readonly reason: string;
  /** What waits for it in a read model, and in which lane. */
  readonly aggregate?: string;
  readonly lane?: number;
}

/**
 * Keeps a copy of a message that cannot be read or handled, with the reason. The same message is parked once per reader, however often it comes.
 * Of a message that was erased since it came no copy is kept.
 * @throws EventLogUnavailableError when it could not be kept; the message must not be acknowledged then.
 */
export async function park(connection: NatsConnection, message: StoredMessage, parking: Parking): Promise<void> {
  try {
    await keepCopy(connection, message, parking);
  } catch (error) {
    if (!isUndelivered(error)) throw unavailable(error);
    // Nobody keeps the subject yet: the stream is made at the first message that needs it.
    try {
      await ensureParkedStream(connection, await replicasOf(connection, message.stream));
      await keepCopy(connection, message, parking);
    } catch (cause) {
      throw unavailable(cause);
    }
  }
}

/** Makes the stream of parked messages; called by itself when the first message is parked. */
export function ensureParkedStream(connection: NatsConnection, replicas: number): Promise<void> {
  return ensureStream(connection, { name: parkedStream, subjects: [parkedSubjects], replicas });
}

/** Looks for the original last, so that an erasure finds either the copy, or is found by this. */
async function keepCopy(connection: NatsConnection, message: StoredMessage, parking: Parking): Promise<void> {
  const sequence = await publishOnce(connection, message, parking);
  const isErased =
    (await nextSequence(openLog(connection, message.stream), '>', message.sequence)) !== message.sequence;
  if (isErased) await openEraser(connection, parkedStream).erase([sequence]);
}

/** Returns where the copy stands. */
async function publishOnce(connection: NatsConnection, message: StoredMessage, parking: Parking): Promise<number> {
  const subject = `parked.${message.stream}.${parking.by}`;
  const headers = headersFor(message, parking);
  const isTooLarge = message.data.byteLength + headers.toString().length > (connection.info?.max_payload ?? 0);
  if (isTooLarge) headers.set(parkedHeaders.truncated, 'true');
  const data = isTooLarge ? new Uint8Array() : message.data;
  const reply = await connection.request(subject, data, { headers, timeout: publishTimeoutMs });
  const answer = reply.json<{ seq: number; error?: { description?: string } }>();
  if (answer.error) throw new Error(answer.error.description);
  return answer.seq;
}

function headersFor(message: StoredMessage, parking: Parking): MsgHdrs {
  const headers = createHeaders();
  for (const [name, values] of message.headers ?? []) {
    if (name.toLowerCase().startsWith('nats-')) continue;
    for (const value of values) headers.append(name, value);
  }
  headers.set('Nats-Msg-Id', `${parking.by}/${message.stream}/${message.sequence}`);
  headers.set(parkedHeaders.by, parking.by);
  headers.set(parkedHeaders.reason, encodeText(parking.reason));
  headers.set(parkedHeaders.stream, message.stream);
  headers.set(parkedHeaders.subject, message.subject);
  headers.set(parkedHeaders.sequence, String(message.sequence));
  headers.set(parkedHeaders.time, new Date().toISOString());
  if (parking.aggregate !== undefined) headers.set(parkedHeaders.aggregate, encodeText(parking.aggregate));
  if (parking.lane !== undefined) headers.set(parkedHeaders.lane, String(parking.lane));
  return headers;
}

async function replicasOf(connection: NatsConnection, stream: string): Promise<number> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  return (await manager.streams.info(stream)).config.num_replicas;
}

function unavailable(cause: unknown): EventLogUnavailableError {
  return new EventLogUnavailableError('An event could not be parked', { cause });
}
