import { addDays, type CalendarDay, weekdayOf } from './calendar.ts';
import { daysFrom } from './day-span.ts';
import { everyYear, type Recurring } from './recurring.ts';

/** Sources of regular expressions, and the day of each year. Those of the United States where countries differ. */
const holidays: Readonly<Record<string, (year: number) => CalendarDay>> = {
  "new year['’]?s eve": onDay(12, 31),
  "new years?(?:['’]s)?(?: day)?": onDay(1, 1),
  "valentine['’]?s(?: day)?": onDay(2, 14),
  "(?:st\\.?|saint) patrick['’]?s day": onDay(3, 17),
  'good friday': (year) => addDays(easterSunday(year), -2),
  'easter monday': (year) => addDays(easterSunday(year), 1),
  'easter(?: sunday)?': easterSunday,
  "mother['’]?s day": (year) => weekdayInMonth(year, 5, 6, 2),
  'memorial day': (year) => addDays(weekdayInMonth(year, 6, 0, 1), -7),
  "father['’]?s day": (year) => weekdayInMonth(year, 6, 6, 3),
  '(?:independence day|(?:the )?(?:4th|fourth) of july)': onDay(7, 4),
  'labou?r day': (year) => weekdayInMonth(year, 9, 0, 1),
  "hallowe[’']?en": onDay(10, 31),
  'thanksgiving(?: day)?': (year) => weekdayInMonth(year, 11, 3, 4),
  'black friday': (year) => addDays(weekdayInMonth(year, 11, 3, 4), 1),
  'christmas eve': onDay(12, 24),
  'boxing day': onDay(12, 26),
  '(?:christmas|xmas)(?: day)?': onDay(12, 25),
};

/** Any of them; longer names before those that they begin with. */
export const holiday = `(?:${Object.keys(holidays).join('|')})`;

/** @param name what the pattern `holiday` found */
export function everyHoliday(name: string): Recurring | undefined {
  const entry = Object.entries(holidays).find(([pattern]) => new RegExp(`^${pattern}$`, 'i').test(name));
  return entry && everyYear((year) => daysFrom(entry[1](year)));
}

function onDay(month: number, day: number): (year: number) => CalendarDay {
  return (year) => ({ year, month, day });
}

/** @param weekday 0 for Monday to 6 for Sunday */
function weekdayInMonth(year: number, month: number, weekday: number, count: number): CalendarDay {
  const first = { year, month, day: 1 };
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * (count - 1));
}

/** The Gregorian computus in the form of Meeus, Jones and Butcher. */
function easterSunday(year: number): CalendarDay {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * shift + 114;
  return { year, month: Math.floor(days / 31), day: (days % 31) + 1 };
}
