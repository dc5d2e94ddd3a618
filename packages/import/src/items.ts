import type { Item, Metadata, Role } from '@mneme/client';
import {
  itemRoles,
  maxContextBytes,
  metadata as metadataSchema,
  normaliseDateTime,
  utf8Length,
} from '@mneme/contracts/item-rules';
import { splitText } from './split-text.ts';

/** Longer contents become several items, in characters; the server reads an item as a whole. */
const maxContentLength = 64 * 1_024;

/** What may become an item, as it stands in a file. */
export interface Candidate {
  readonly content: string;
  /** ISO 8601, or seconds since 1970. */
  readonly date?: unknown;
  readonly context?: unknown;
  readonly role?: unknown;
  readonly metadata?: unknown;
}

/**
 * Checks what the server would refuse, so that one fault does not keep a whole document out.
 *
 * @returns the items, several for a long content and none for a blank one
 * @throws Error with the reason, if it cannot be stored as it is
 */
export function toItems({ content, date, context, role, metadata }: Candidate): Item[] {
  const fields = given({
    eventDate: readDate(date),
    context: readContext(context),
    role: readRole(role),
    metadata: readMetadata(metadata),
  });
  return splitText(content.toWellFormed(), maxContentLength).map((part) => ({ content: part, ...fields }));
}

/**
 * @returns ISO 8601; undefined if there is no date
 * @throws Error if it cannot be read
 */
export function readDate(date: unknown): string | undefined {
  if (date === undefined || date === null || date === '') return undefined;
  const read =
    typeof date === 'number' ? ofSeconds(date) : typeof date === 'string' ? normaliseDateTime(date) : undefined;
  if (read !== undefined) return read;
  throw new Error(`the date ${excerpt(date)} cannot be read; it should be ISO 8601, such as 2024-03-01T09:30:00Z`);
}

function ofSeconds(seconds: number): string | undefined {
  const date = new Date(seconds * 1_000);
  return Number.isNaN(date.getTime()) ? undefined : normaliseDateTime(date.toISOString());
}

function readContext(context: unknown): string | undefined {
  if (context === undefined || context === null || context === '') return undefined;
  if (typeof context !== 'string') throw new Error(`the context ${excerpt(context)} is not a text`);
  if (utf8Length(context) <= maxContextBytes) return context.toWellFormed();
  throw new Error(`the context has more than ${maxContextBytes} bytes`);
}

function readRole(role: unknown): Role | undefined {
  if (role === undefined || role === null) return undefined;
  const known = itemRoles.find((each) => each === role);
  if (known) return known;
  throw new Error(`the role ${excerpt(role)} is none of ${itemRoles.join(', ')}`);
}

function readMetadata(metadata: unknown): Metadata | undefined {
  if (metadata === undefined || metadata === null) return undefined;
  const parsed = metadataSchema.safeParse(metadata);
  if (parsed.success) return Object.keys(parsed.data).length === 0 ? undefined : parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw new Error(`the metadata cannot be stored: ${faults.join('; ')}`);
}

function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/** A value as a message shows it. */
function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
