import type { Metadata } from '@mneme/contracts';
import { createTimeSlice } from '@mneme/workers/time-slices';
import type { Document } from 'mongodb';
import { timestamp, type Unit } from '../read-model/rows.ts';
import { entityText } from './text.ts';

/** A unit as lists and graphs read it. */
export type ReadUnit = Pick<Unit, '_id' | 'text' | 'context' | 'eventDate' | 'factType' | 'entities' | 'metadata'>;

/** A unit as lists and graphs show it; long texts are truncated and end in an ellipsis. */
export interface ShownUnit {
  readonly id: string;
  readonly text: string;
  readonly context: string | null;
  readonly date: string;
  readonly factType: Unit['factType'];
  readonly entities: string;
}

const ellipsis = '…';

/** How much of a context is sent with a unit, in characters. The rest stays in the log and can be found by its stored words. */
export const maxSentContext = 2_000;

/** Reads only the start of a context, and one more character to tell that it was truncated. */
function startOfContext(maxContext: number): Document {
  const start = { $substrCP: ['$context', 0, maxContext + 1] };
  return { $cond: [{ $eq: [{ $type: '$context' }, 'string'] }, start, null] };
}

/**
 * The fields to read, with no more of a context than is shown: units that were stored before contexts were truncated may have
 * megabytes each, and a reply has up to 1000 units.
 * @param maxContext in characters
 */
export function readFields(maxContext: number): Document {
  return { text: 1, context: startOfContext(maxContext), eventDate: 1, factType: 1, entities: 1, metadata: 1 };
}

/**
 * @param maxContext in characters
 * @param maxText in characters, for text, entities and context
 */
export function showUnit(unit: ReadUnit, maxContext: number, maxText: number): ShownUnit {
  const { _id, text, context, eventDate, factType, entities } = unit;
  return {
    id: _id,
    text: cut(text, maxText),
    context: context === null ? null : cut(context, Math.min(maxContext, maxText)),
    date: timestamp(eventDate),
    factType,
    entities: cut(entityText(entities), maxText),
  };
}

/** The metadata of a unit as replies have it: nothing if it has none. */
export function shownMetadata({ metadata }: Pick<Unit, 'metadata'>): { metadata?: Metadata } {
  return metadata === null ? {} : { metadata: JSON.parse(metadata) as Metadata };
}

/** The part of a context that a unit stores: as much as is shown, and one more character to tell that it was truncated. */
export function startOf(context: string): string {
  return cut(context, maxSentContext + 1, '');
}

/** The first characters of a text, counted as Unicode code points. */
export function cut(text: string, maxCharacters: number, end = ellipsis): string {
  if (text.length <= maxCharacters) return text;
  const characters = [...text.slice(0, 2 * maxCharacters + 1)];
  return characters.length <= maxCharacters ? text : characters.slice(0, maxCharacters).join('') + end;
}

/** The lengths to which texts are truncated, in this order until the reply is small enough; with the last one it always is. */
const textLengths = [Number.MAX_SAFE_INTEGER, 1_000, 500, 250, 120, 60, 30] as const;

/** The most bytes of JSON that the rows of one reply have together: less than 4 MB, which leaves room for the rest of it. */
export const maxReplyBytes = 3_990_000;

/** Units as a reply has them. */
export interface FittedUnits<T> {
  readonly units: T[];
  /** Of their JSON. */
  readonly bytes: number;
}

/**
 * Renders units so that their JSON takes no more than `maxBytes`, by truncating their texts as little as necessary. Does not
 * keep the process busy for long, however many there are.
 * @param render the form of a unit in the reply, with texts of at most `maxText` characters
 */
export async function fitUnits<U, T>(
  units: readonly U[],
  maxBytes: number,
  render: (unit: U, maxText: number) => T,
): Promise<FittedUnits<T>> {
  let fitted: FittedUnits<T> = { units: [], bytes: 0 };
  for (const length of textLengths) {
    const most = length === textLengths.at(-1) ? Number.POSITIVE_INFINITY : maxBytes;
    fitted = await renderUpTo(units, most, (unit) => render(unit, length));
    if (fitted.units.length === units.length) break;
  }
  return fitted;
}

/** Ends with the unit before the one that does not fit. */
async function renderUpTo<U, T>(
  units: readonly U[],
  maxBytes: number,
  render: (unit: U) => T,
): Promise<FittedUnits<T>> {
  const slice = createTimeSlice();
  const rendered: T[] = [];
  let bytes = '[]'.length;
  for (const unit of units) {
    const one = render(unit);
    bytes += Buffer.byteLength(JSON.stringify(one)) + (rendered.length > 0 ? ','.length : 0);
    if (bytes > maxBytes) break;
    rendered.push(one);
    if (slice.isOver()) await slice.next();
  }
  return { units: rendered, bytes };
}
