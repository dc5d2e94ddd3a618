import { addDays, type CalendarDay, weekdayOf } from './calendar.ts';
import { type DaySpan, daysFrom, monthsFrom } from './day-span.ts';
import { everyYear, type Recurring } from './recurring.ts';

/** The source of a regular expression, and the day in a year. Where countries differ, the United States count. */
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

/** Source of a regular expression for any holiday. A longer name stands before a shorter one that it begins with. */
export const holiday = `(?:${Object.keys(holidays).join('|')})`;

const byName = Object.entries(holidays).map(([name, inYear]) => ({ name: new RegExp(`^${name}$`, 'i'), inYear }));

/** @param name as matched by `holiday` */
export function everyHoliday(name: string): Recurring | undefined {
  const found = byName.find((each) => each.name.test(name));
  return found && everyYear((year) => daysFrom(found.inYear(year)));
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

const seasons = ['spring', 'summer', 'autumn', 'winter'];

/** A season of the northern hemisphere in whole months. A winter belongs to the year of its December. */
export function seasonSpan(name: string, year: number): DaySpan {
  return monthsFrom({ year, month: 3 + 3 * seasonIndex(name), day: 1 }, 3);
}

export function everySeason(name: string): Recurring {
  return everyYear((year) => seasonSpan(name, year));
}

/** `spring 2022`, `winter 2022–2023` */
export function seasonText(name: string, year: number): string {
  return seasonIndex(name) === 3 ? `winter ${year}–${year + 1}` : `${name.toLowerCase()} ${year}`;
}

function seasonIndex(name: string): number {
  const lower = name.toLowerCase();
  return seasons.indexOf(lower === 'fall' ? 'autumn' : lower);
}
