import { addDays, isBefore, weekdayOf } from '../calendar.ts';
import { readWeekday } from '../date-words.ts';
import { type DaySpan, lengthOf, yearsFrom } from '../day-span.ts';
import { lastOver, nextBegun, timeWithin } from '../recurring.ts';
import { type Reduction, reduction, wordBefore } from './reduction.ts';
import { type Asking, fixedSpan, isRecurring, type Meant } from './term.ts';

/** "Sunday, 7 May": the day says more, and its weekday tells the year or the month. */
const weekdayAndDay = reduction('<T>,? (?:the )?<T>', (_, [weekday, day]) => {
  const name = /\b([a-z]{1,20}day)\b/i.exec(weekday?.phrase ?? '')?.[1];
  const isWeekday = name !== undefined && (weekday?.kind === 'weekday' || weekday?.kind === 'day');
  if (!isWeekday || day?.kind !== 'day' || !/\d/.test(day.phrase)) return undefined;
  return { ...day, time: onWeekday(day.time, readWeekday(name)), isClear: true };
});

function onWeekday(time: Meant['time'], weekday: number): Meant['time'] {
  if (!isRecurring(time) || weekday < 0) return time;
  const { around } = time;
  return { around: (day) => around(day).filter(({ from }) => weekdayOf(from) === weekday) };
}

const beforeMonth = /^(?:in|during|since|until|till|before|after|by|early|late|mid|of|from|between|and|to)$/;

/** "June 2022", "the summer of 2021", "7 May, 2023", "Monday of last week" */
const timeOfPeriod = reduction('<T>(,? |,? of |,? in )<T>', (match, [time, period]) => {
  if (time === undefined || period === undefined) return undefined;
  // "April last year" and "April in 2019" may be what a person called April did.
  const isWritten = period.kind === 'year' && !match[1]?.includes('in');
  if (time.isName && !isWritten && !beforeMonth.test(wordBefore(match))) return undefined;
  return within(time, period);
});

/** "last year in June", "last year's Christmas", "last week Monday", "2022 Christmas" */
const periodAndTime = reduction('<T>,? (in |on |at |over |during )?(?:the )?<T>', ([, preposition], [period, time]) => {
  if (time === undefined || period === undefined) return undefined;
  const isJoined = preposition !== undefined || time.kind === 'weekday' || time.kind === 'holiday';
  return isJoined && !(period.kind === 'year' && preposition) ? within(time, period) : undefined;
});

function within(time: Meant, period: Meant): Meant | undefined {
  const span = fixedSpan(period);
  if (span === undefined || !isRecurring(time.time) || lengthOf(span) < 7) return undefined;
  const found = timeWithin(time.time, span);
  const isPart = found !== undefined && (isBefore(span.from, found.from) || isBefore(found.to, span.to));
  return isPart ? { kind: time.kind, time: found, isClear: true } : undefined;
}

/** "last Christmas", "this Easter", "next Halloween" */
const namedByStep = reduction('\\b(last|this|this past|this coming|next) <T>', ([, which = ''], [term], asking) => {
  if (term?.kind !== 'holiday' || !isRecurring(term.time)) return undefined;
  const time = stepTo(which.toLowerCase(), term.time, asking);
  return time && { kind: 'holiday', time, isClear: true };
});

function stepTo(which: string, recurring: Parameters<typeof lastOver>[0], { today }: Asking): DaySpan | undefined {
  if (which === 'this') return timeWithin(recurring, yearsFrom(today.year));
  const isPast = which === 'last' || which === 'this past';
  return isPast ? lastOver(recurring, today) : nextBegun(recurring, addDays(today, 1));
}

/** A time and the longer one that it is in become one term. */
export const attachReductions: readonly Reduction[] = [weekdayAndDay, timeOfPeriod, periodAndTime, namedByStep];
