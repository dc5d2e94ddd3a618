import type { DomainEvent, EventCatalog, EventDefinition } from '@mneme/contracts';
import { UnknownEventError, UnreadableEventError } from '../errors.ts';
import type { Recorded } from '../recorded.ts';
import {
  attributePrefix,
  decodeText,
  type Envelope,
  readEnvelope,
  schemaHeader,
  typeHeader,
  versionIn,
} from './cloud-event.ts';
import type { StoredMessage } from './log.ts';

const textDecoder = new TextDecoder('utf-8', { fatal: true });

/** The type of a message, read without touching its data; undefined when it names none. */
export function typeOf(message: StoredMessage): string | undefined {
  return message.headers?.get(typeHeader) || undefined;
}

/** When the event in a message was made, in milliseconds since 1970; undefined when it does not say. */
export function timeOf({ headers }: Pick<StoredMessage, 'headers'>): number | undefined {
  const time = Date.parse(headers?.get('ce-time') ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** The id of the event in a message, by which a reused sequence is told apart; undefined when it names none. */
export function eventIdOf({ headers }: Pick<StoredMessage, 'headers'>): string | undefined {
  return headers?.get('ce-id') || undefined;
}

/** An extension of the event in a message; undefined when it has none of that name. */
export function attributeOf({ headers }: Pick<StoredMessage, 'headers'>, name: string): string | undefined {
  const value = headers?.get(`${attributePrefix}${name}`);
  return value ? decodeText(value) : undefined;
}

/** The version of its type that a message was written in; undefined when it names none. */
export function versionOf(message: StoredMessage): number | undefined {
  return versionIn(message.headers?.get(schemaHeader) ?? '');
}

/** Whether a release with this catalog can read events of a type, as they were written. */
export function isKnown(catalog: Pick<EventCatalog, 'definitions'>, type: string, version = 1): boolean {
  return version <= (catalog.definitions.get(type)?.version ?? 0);
}

/**
 * Turns a stored message into an event of the catalog, in its current version.
 * @throws UnknownEventError when the catalog lacks its type or version.
 * @throws UnreadableEventError when its headers or data are not what the catalog describes.
 */
export function decodeEvent<E extends DomainEvent>(catalog: EventCatalog<E>, message: StoredMessage): Recorded<E> {
  const position = { stream: message.stream, sequence: message.sequence };
  const unreadable = (reason: string, cause?: unknown) => new UnreadableEventError(position, reason, { cause });
  const envelope = readEnvelope(message.headers);
  if (typeof envelope === 'string') throw unreadable(envelope);
  const definition = catalog.definitions.get(envelope.type);
  if (!definition) throw new UnknownEventError(position, `the type ${envelope.type} is not known to this release`);
  if (envelope.version > definition.version) {
    const reason = `${envelope.type} has version ${envelope.version}; this release knows ${definition.version}`;
    throw new UnknownEventError(position, reason);
  }
  const data = readData(definition, envelope, message.data, unreadable);
  // The catalog's type parameter states that its definitions produce exactly the events of E.
  return { ...envelope, subject: message.subject, position, data } as unknown as Recorded<E>;
}

function readData(
  definition: EventDefinition,
  envelope: Envelope,
  bytes: Uint8Array,
  unreadable: (reason: string, cause?: unknown) => UnreadableEventError,
): unknown {
  // A copy, since the message's bytes are a view that keeps the whole received chunk in memory.
  if (definition.encoding === 'bytes') return new Uint8Array(bytes);
  let data: unknown;
  try {
    data = upcast(definition, envelope.version, JSON.parse(textDecoder.decode(bytes)));
  } catch (error) {
    throw unreadable(`its data are not readable as version ${envelope.version}`, error);
  }
  const parsed = definition.schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw unreadable(`its data do not fit: ${issue?.path.join('.') || 'data'}: ${issue?.message}`, parsed.error);
}

function upcast(definition: EventDefinition, written: number, data: unknown): unknown {
  let current = data;
  for (let version = written; version < definition.version; version += 1) {
    current = definition.upcasters[version]?.(current);
  }
  return current;
}
