import type { DomainEvent, EventCatalog } from '@mneme/contracts';
import { currentTraceparent } from '@mneme/telemetry';
import type { MsgHdrs } from '@nats-io/nats-core';
import { EventTooLargeError, InvalidEventError } from '../errors.ts';
import type { EventContext } from '../recorded.ts';
import { isAttributeName, writeEnvelope } from './cloud-event.ts';

/** An event ready to be published. */
export interface EncodedEvent {
  /** As it stands in its header. */
  readonly id: string;
  readonly headers: MsgHdrs;
  readonly data: Uint8Array;
}

/** What every event of one append shares. */
export interface Encoding {
  readonly catalog: EventCatalog;
  readonly stream: string;
  readonly source: string;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** The server's limit for headers and data of one message. */
  readonly maxPayload: number;
}

const textEncoder = new TextEncoder();
// The headers that the publisher adds: the expectation, the batch's id, number and end.
const publishHeaderBytes = 256;

/**
 * Encodes one event.
 * @throws InvalidEventError when its type is unknown, its data do not fit its schema, or an attribute has a bad name.
 * @throws EventTooLargeError when it does not fit into one message.
 */
export function encodeEvent(
  encoding: Encoding,
  subject: string,
  event: DomainEvent,
  context: EventContext,
): EncodedEvent {
  const definition = encoding.catalog.definitions.get(event.type);
  if (!definition) throw new InvalidEventError(`The catalog of ${encoding.stream} has no ${event.type}`);
  const parsed = definition.schema.safeParse(event.data);
  if (!parsed.success) throw new InvalidEventError(`${event.type} does not fit its schema`, { cause: parsed.error });
  const { attributes = {}, eventId: id = encoding.newId() } = context;
  const wrong = Object.keys(attributes).find((name) => !isAttributeName(name));
  if (wrong !== undefined) throw new InvalidEventError(`An attribute cannot have the name ${wrong}`);
  const envelope = {
    id,
    type: event.type,
    version: definition.version,
    source: encoding.source,
    subject,
    time: encoding.clock().toISOString(),
    correlationId: context.correlationId,
    causationId: context.causationId,
    actor: context.actor,
    traceparent: currentTraceparent(),
    attributes,
  };
  const headers = writeEnvelope(envelope, encoding.stream, definition.encoding);
  const data =
    definition.encoding === 'bytes' ? (parsed.data as Uint8Array) : textEncoder.encode(JSON.stringify(parsed.data));
  const bytes = headerBytes(headers) + publishHeaderBytes + data.byteLength;
  if (bytes > encoding.maxPayload) throw new EventTooLargeError(event.type, bytes, encoding.maxPayload);
  return { id: headers.get('ce-id'), headers, data };
}

/** The size of headers on the wire; all names and values are ASCII. */
function headerBytes(headers: MsgHdrs): number {
  let bytes = 'NATS/1.0\r\n\r\n'.length;
  for (const [name, values] of headers) {
    for (const value of values) bytes += name.length + value.length + ': \r\n'.length;
  }
  return bytes;
}
