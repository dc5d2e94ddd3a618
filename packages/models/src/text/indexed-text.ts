import { readItemDate } from '../dates/calendar.ts';
import { dayText } from '../dates/date-words.ts';

/**
 * What of a fact is indexed, by words and by vector: its text and its date in words, so that a question that names a date finds it.
 *
 * @param fact its text, and its date in ISO 8601 or null
 */
export function indexedText(fact: { readonly text: string; readonly eventDate: string | null }): string {
  const date = fact.eventDate === null ? undefined : readItemDate(fact.eventDate);
  return date === undefined ? fact.text : `${fact.text} (${dayText(date.day)})`;
}
