import { z } from 'zod';

/** Turns the data of one version of an event into that of the next one. Pure; never throws on data that its version's schema accepts. */
export type Upcaster = (data: unknown) => unknown;

/** One type of event: the schema of its present version, and how older versions are converted to it. */
export interface EventDefinition<T extends string = string, D = unknown> {
  readonly type: T;
  /** The present version, counted from 1. */
  readonly version: number;
  readonly schema: z.ZodType<D>;
  /** By the version that it converts from; every version below the present one has an entry. */
  readonly upcasters: Readonly<Record<number, Upcaster>>;
  /** `bytes`: the data of the message are raw bytes, not JSON. */
  readonly encoding: 'json' | 'bytes';
}

/** An event as domain code sees it. */
export interface DomainEvent<T extends string = string, D = unknown> {
  readonly type: T;
  readonly data: D;
}

/** All event types of one JetStream stream, by type. */
export interface EventCatalog<E extends DomainEvent = DomainEvent> {
  readonly definitions: ReadonlyMap<string, EventDefinition>;
  /** Only for type inference; never set. */
  readonly _events?: E;
}

export type EventOf<C> = C extends EventCatalog<infer E> ? E : never;

type EventsOf<Defs extends readonly EventDefinition[]> = {
  [K in keyof Defs]: Defs[K] extends EventDefinition<infer T, infer D> ? DomainEvent<T, D> : never;
}[number];

/**
 * Defines a JSON event, by the fields of its data.
 * @param history its present version, and how older versions are converted; the first version unless given
 * @throws Error when a version between 1 and the current one has no upcaster.
 */
export function defineEvent<const T extends string, Fields extends z.ZodRawShape>(
  type: T,
  fields: Fields,
  { version = 1, upcasters = {} }: Partial<Pick<EventDefinition, 'version' | 'upcasters'>> = {},
): EventDefinition<T, z.output<z.ZodObject<Fields>>> {
  for (let earlier = 1; earlier < version; earlier += 1) {
    if (!upcasters[earlier]) throw new Error(`${type}: no upcaster from version ${earlier}`);
  }
  return { type, version, schema: z.object(fields), upcasters, encoding: 'json' };
}

/** Defines an event whose data are unchecked bytes. */
export function defineBytesEvent<const T extends string>(type: T): EventDefinition<T, Uint8Array> {
  const schema = z.custom<Uint8Array>((data) => data instanceof Uint8Array);
  return { type, version: 1, schema, upcasters: {}, encoding: 'bytes' };
}

/**
 * Collects definitions into a catalog.
 * @throws Error when a type is defined twice.
 */
export function eventCatalog<const Defs extends readonly EventDefinition[]>(
  definitions: Defs,
): EventCatalog<EventsOf<Defs>> {
  const byType = new Map<string, EventDefinition>();
  for (const definition of definitions) {
    if (byType.has(definition.type)) throw new Error(`${definition.type} is defined twice`);
    byType.set(definition.type, definition);
  }
  return { definitions: byType };
}
