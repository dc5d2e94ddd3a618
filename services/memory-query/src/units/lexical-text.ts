import { indexedText } from '@mneme/models';
import type { Unit } from '../read-model/rows.ts';

export type LexicalUnit = Pick<Unit, 'text' | 'source' | 'eventDate'>;

/** The words by which a unit is found: of the fact with its date, and of the item that it was taken from. */
export function lexicalText({ text, source, eventDate }: LexicalUnit): string {
  const fact = indexedText({ text, eventDate: eventDate.toISOString() });
  return source === null ? fact : `${fact}\n${source}`;
}
