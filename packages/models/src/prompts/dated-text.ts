import { dayOfEvent } from '../dates/calendar.ts';
import { isoDayText } from '../dates/date-words.ts';

/** A text after its day in brackets, where the time `now` has its offset; the text alone when it has no readable date. */
export function datedText({ text, eventDate }: { text: string; eventDate: string | null }, now: string): string {
  const day = dayText(eventDate, now);
  return day === undefined ? text : `[${day}] ${text}`;
}

/** The day of a date as prompts write it; undefined when it is not readable. */
export function dayText(date: string | null, now: string): string | undefined {
  const day = dayOfEvent(date, now);
  return day && isoDayText(day);
}
