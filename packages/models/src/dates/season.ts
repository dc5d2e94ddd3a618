import type { DaySpan } from './day-span.ts';
import { monthsFrom } from './day-span.ts';
import { everyYear, type Recurring } from './recurring.ts';

const seasons = ['spring', 'summer', 'autumn', 'winter'];

/** A season of the northern half, by whole months; winter is counted to the year of its December. */
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
