import type { components } from './api.ts';
import { invalidRequest } from './http/error.ts';
import type { Reply } from './http/operations.ts';

type Schemas = components['schemas'];

/** Objects as the API has them; its documentation is at `/docs` of every server. */
export type SearchResponse = Schemas['SearchResponse'];
export type SearchResult = Schemas['SearchResult'];
export type ThinkResponse = Schemas['ThinkResponse'];
export type ListedMemory = Schemas['ListedMemoryUnit'];
export type ListedDocument = Schemas['ListedDocument'];
export type MnemeDocument = Schemas['DocumentResponse'];
export type Operation = Schemas['OperationStatusResponse'];
export type ListedOperation = Schemas['ListedOperation'];
export type ListedAgent = Schemas['AgentListItem'];
export type AgentProfile = Schemas['AgentProfileResponse'];
export type Personality = Schemas['PersonalityTraits'];
export type Graph = Schemas['GraphResponse'];
export type Stats = Schemas['StatsResponse'];
export type Me = Schemas['Me'];
export type Session = Schemas['Session'];
export type Caller = Schemas['Caller'];
export type ApiKey = Schemas['ApiKey'];
export type CreatedApiKey = Schemas['CreatedApiKey'];
export type Webhook = Schemas['Webhook'];
export type ListedWebhook = Schemas['ListedWebhook'];
export type Delivery = Schemas['WebhookLog'];
export type Table = Schemas['Table'];
export type Column = Schemas['Column'];
export type Row = Schemas['Row'];
/** A rebuild or verification. */
export type SystemTask = Schemas['SystemTask'];
export type SystemService = Schemas['SystemService'];
export type SystemStream = Schemas['SystemStream'];
export type SystemReadModel = Schemas['SystemReadModel'];
export type ReadModelVersion = Schemas['ReadModelVersion'];
export type DeadLetter = Schemas['DeadLetter'];

export type FactType = ListedMemory['fact_type'];
export type Remembered = Reply<'post', '/api/memories/batch'> | Reply<'post', '/api/memories/batch_async'>;
export type Memory = Reply<'get', '/api/memory/{unit_id}'>;

/** Who says something. */
export type Role = 'user' | 'assistant' | 'system' | 'tool';
type Scalar = string | number | boolean | null;
/** Your own data about an item, by which its memories can be filtered. */
export type Metadata = Readonly<Record<string, Scalar | readonly string[]>>;
/** What the metadata of a memory must have: a value, one of several, or any or none. */
export type MetadataFilter = Readonly<
  Record<string, Scalar | { readonly in: readonly Scalar[] } | { readonly exists: boolean }>
>;

/** Names as this client has them: `rate_limit` becomes `rateLimit`. */
export type CamelCaseKeys<T> = { [K in keyof T as K extends string ? CamelCase<K> : K]: T[K] };
type CamelCase<K extends string> = K extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : K;

/** The reverse of `CamelCaseKeys`, for the fields of an object, but not for those of its values. */
export function snakeCaseKeys<T extends object>(options: CamelCaseKeys<T>): T {
  const entries = Object.entries(options);
  return Object.fromEntries(entries.map(([name, value]) => [snakeCase(name), value])) as T;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A time as the API takes it: ISO 8601. A date-time without an offset is in UTC. */
export type Time = string | Date;

/** @throws MnemeError for a `Date` that has no time */
export function isoTime(time: Time | undefined): string | undefined {
  if (!(time instanceof Date)) return time;
  if (Number.isNaN(time.getTime())) throw invalidRequest('A time is an invalid Date');
  return time.toISOString();
}

/** Leaves out what is undefined, which is how options that were not given look. */
export type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
