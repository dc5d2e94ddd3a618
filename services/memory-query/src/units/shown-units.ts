import type { Document } from 'mongodb';
import type { Unit } from '../read-model/rows.ts';
import { timestamp } from '../read-model/timestamp.ts';
import { entityText } from './entity-text.ts';

/** A unit as lists and drawings read it. */
export type ReadUnit = Pick<Unit, '_id' | 'text' | 'context' | 'eventDate' | 'factType' | 'entities'>;

/** A unit as lists and drawings show it; long texts are cut and end in an ellipsis. */
export interface ShownUnit {
  readonly id: string;
  readonly text: string;
  readonly context: string | null;
  readonly date: string;
  readonly factType: Unit['factType'];
  readonly entities: string;
}

const ellipsis = '…';

/** So much of a context is sent with a unit, in characters. What is beyond stays in the log, and can be found as far as its words are kept. */
export const maxSentContext = 2_000;

/** Reads no more of a context than its start, and one character, which tells that there is more. */
export function startOfContext(maxContext: number): Document {
  const start = { $substrCP: ['$context', 0, maxContext + 1] };
  return { $cond: [{ $eq: [{ $type: '$context' }, 'string'] }, start, null] };
}

/**
 * The fields to read. Units that were stored before contexts were cut may hold megabytes each, and a reply has up to 1000
 * of them, so that no more is read than is shown.
 * @param maxContext in characters
 */
export function readFields(maxContext: number): Document {
  return { text: 1, context: startOfContext(maxContext), eventDate: 1, factType: 1, entities: 1 };
}

/** @param maxContext in characters; @param maxText of text and entities, and of the context too if it is less */
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

/** What a unit keeps of its context: as much as is shown, and one character, which tells that there is more. */
export function startOf(context: string): string {
  return cut(context, maxSentContext + 1, '');
}

/** The first characters of a text; a character is what Unicode calls a code point. */
export function cut(text: string, maxCharacters: number, end = ellipsis): string {
  if (text.length <= maxCharacters) return text;
  const characters = [...text.slice(0, 2 * maxCharacters + 1)];
  return characters.length <= maxCharacters ? text : characters.slice(0, maxCharacters).join('') + end;
}

/** Lengths to cut texts to, one after the other, until a reply is small enough; with the last one it always is. */
const textLengths = [Number.MAX_SAFE_INTEGER, 1_000, 500, 250, 120, 60, 30] as const;

/**
 * Renders units so that the JSON of all together takes no more than `maxBytes`, by cutting their texts as little as needed.
 * @param render makes of a unit what is sent, with texts of at most so many characters
 */
export function fitUnits<T>(
  units: readonly ReadUnit[],
  maxBytes: number,
  render: (unit: ReadUnit, maxText: number) => T,
): T[] {
  let rendered: T[] = [];
  for (const length of textLengths) {
    rendered = units.map((unit) => render(unit, length));
    if (Buffer.byteLength(JSON.stringify(rendered)) <= maxBytes) break;
  }
  return rendered;
}
