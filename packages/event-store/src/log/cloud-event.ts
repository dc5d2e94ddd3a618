import { headers as createHeaders, type MsgHdrs } from '@nats-io/nats-core';
import type { EventRecord } from '../recorded.ts';

/** The attributes of a CloudEvents 1.0 message in NATS binary mode, as this package uses them. */
export interface Envelope extends Omit<EventRecord, 'position'> {
  readonly type: string;
}

/** Header names are case-sensitive in NATS; these are written and read in this form only. */
export const typeHeader = 'ce-type';
export const schemaHeader = 'ce-dataschema';
/** What CloudEvents calls an extension must not have the name of an attribute that there is. */
const attributeNames: ReadonlySet<string> = new Set([
  'specversion',
  'id',
  'type',
  'source',
  'time',
  'subject',
  'dataschema',
  'datacontenttype',
  'data',
]);
const attributeName = /^[a-z\d]{1,20}$/;
/** Before the name of an attribute in a header. */
export const attributePrefix = 'ce-';
const contentTypes = { json: 'application/json', bytes: 'application/octet-stream' } as const;

// What may stand in a header as it is: printable ASCII without the space, the double quote and the percent sign,
// which the CloudEvents bindings ask to be percent-encoded together with everything else.
const unsafe = /[^\x21\x23-\x24\x26-\x7e]+/g;

/** Makes free text safe for a header; {@link decodeText} takes it back. */
export function encodeText(text: string): string {
  return text.toWellFormed().replace(unsafe, (part) => encodeURIComponent(part));
}

/** Takes {@link encodeText} back; text that was never encoded comes out as it went in. */
export function decodeText(value: string): string {
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Whether an extension may have a name. */
export function isAttributeName(name: string): boolean {
  return attributeName.test(name) && !attributeNames.has(name);
}

/** Writes the headers of one event. `stream` names the family of types in `ce-dataschema`. */
export function writeEnvelope(envelope: Envelope, stream: string, encoding: 'json' | 'bytes'): MsgHdrs {
  const headers = createHeaders();
  headers.set('Nats-Msg-Id', encodeText(envelope.id));
  headers.set('ce-specversion', '1.0');
  headers.set('ce-id', encodeText(envelope.id));
  headers.set(typeHeader, envelope.type);
  headers.set('ce-source', encodeText(envelope.source));
  headers.set('ce-time', envelope.time);
  headers.set('ce-subject', envelope.subject);
  headers.set(schemaHeader, `mneme:${stream}/${envelope.type}/v${envelope.version}`);
  for (const [name, value] of Object.entries(envelope.attributes))
    headers.set(`${attributePrefix}${name}`, encodeText(value));
  headers.set('content-type', contentTypes[encoding]);
  headers.set('correlation-id', encodeText(envelope.correlationId));
  if (envelope.causationId !== undefined) headers.set('causation-id', encodeText(envelope.causationId));
  if (envelope.actor !== undefined) headers.set('actor', encodeText(envelope.actor));
  if (envelope.traceparent !== undefined) headers.set('traceparent', envelope.traceparent);
  return headers;
}

/**
 * Reads the headers of one message.
 * @returns the envelope, or a sentence that says what is wrong with the headers.
 */
export function readEnvelope(headers: MsgHdrs | undefined): Envelope | string {
  if (!headers) return 'it has no headers';
  // One walk over the headers: looking each up by name would search them all every time.
  const found = new Map<string, string>();
  for (const [name, values] of headers) found.set(name, values[0] ?? '');
  if (found.get('ce-specversion') !== '1.0') return 'it is no CloudEvent 1.0';
  for (const name of ['ce-id', typeHeader, 'ce-source', 'ce-time', schemaHeader]) {
    if (!found.get(name)) return `the header ${name} is missing`;
  }
  return fromHeaders(found);
}

/** Whether a message was published as an event, by whatever release; it may be damaged. */
export function isEvent(headers: MsgHdrs | undefined): boolean {
  return ['ce-specversion', 'ce-id', typeHeader].some((name) => headers?.get(name));
}

/** The version of a type that the name of a schema ends with, such as 2 of `mneme:WEBHOOK/WebhookCreated/v2`. */
export function versionIn(schema: string): number | undefined {
  const digits = /\/v([1-9]\d{0,5})$/.exec(schema)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function fromHeaders(found: ReadonlyMap<string, string>): Envelope | string {
  const text = (name: string) => decodeText(found.get(name) ?? '');
  const optional = (name: string) => (found.has(name) ? text(name) : undefined);
  const schema = text(schemaHeader);
  const version = versionIn(schema);
  if (version === undefined) return `${schemaHeader} names no version: ${schema}`;
  return {
    id: text('ce-id'),
    type: text(typeHeader),
    version,
    source: text('ce-source'),
    subject: text('ce-subject'),
    time: text('ce-time'),
    correlationId: text('correlation-id'),
    causationId: optional('causation-id'),
    actor: optional('actor'),
    ...(found.has('traceparent') && { traceparent: found.get('traceparent') }),
    attributes: attributesIn(found),
  };
}

function attributesIn(found: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const attributes: [string, string][] = [];
  for (const [header, value] of found) {
    const name = header.slice(attributePrefix.length);
    if (header.startsWith(attributePrefix) && isAttributeName(name)) attributes.push([name, decodeText(value)]);
  }
  return Object.fromEntries(attributes);
}
