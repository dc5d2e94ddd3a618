import { type ItemDate, weekdayOf } from '../dates/calendar.ts';
import { dayText, weekdayNames } from '../dates/date-words.ts';

/** An item's date as its own clock showed it: `Monday, 8 May 2023, 23:30 (UTC-08:00)`. */
export function clockText({ iso, day, offsetMinutes }: ItemDate): string {
  const time = new Date(Date.parse(iso) + offsetMinutes * 60_000).toISOString().slice(-13, -8);
  return `${weekdayNames[weekdayOf(day)]}, ${dayText(day)}, ${time} (UTC${offsetText(offsetMinutes)})`;
}

function offsetText(offsetMinutes: number): string {
  const minutes = Math.abs(offsetMinutes);
  const pair = (value: number) => String(value).padStart(2, '0');
  return `${offsetMinutes < 0 ? '-' : '+'}${pair(Math.floor(minutes / 60))}:${pair(minutes % 60)}`;
}
