import { addDays, isBefore, weekdayOf } from '../calendar.ts';
import { readWeekday } from '../date-words.ts';
import { type DaySpan, lengthOf } from '../day-span.ts';
import { lastOver, nextBegun, timeWithin } from '../recurring.ts';
import { isDateContext, type Reduction, reduction, wordBefore } from './grammar.ts';
import { clear, fixedSpan, isRecurring, type Meant, mapTime, type Term, type TermKind } from './terms.ts';

/** "Saturday, 7 May", "Saturday (7 May)", "Sunday the 9th": the weekday tells which year or month is meant. */
const weekdayAndDay = reduction(String.raw`<T>(?:,? |,? ?[(–—-] ?)(?:the )?<T>\)?`, (_, [weekday, day]) => {
  const name = /\b([a-z]{1,20}day)\b/i.exec(weekday?.phrase ?? '')?.[1];
  if (name === undefined || weekday?.kind !== 'weekday' || day?.kind !== 'day') return undefined;
  const { time } = day;
  if (!isRecurring(time)) return day;
  const index = readWeekday(name);
  return clear({ around: (near) => time.around(near).filter(({ from }) => weekdayOf(from) === index) }, 'day');
});

const beforeMonth = /^(?:in|during|since|until|till|before|after|by|early|late|mid|of|from|between|and|to)$/;

/** "June 2022", "the summer of 2021", "7 May, 2023", "Monday of last week" */
const timeOfPeriod = reduction('<T>(,? |,? of |,? in )<T>', (match, [time, period]) => {
  if (time === undefined || period === undefined) return undefined;
  // "April last year" and "April in 2019" may be what a person named April did.
  const isWritten = period.kind === 'year' && !match[1]?.includes('in');
  return time.isName && !isWritten && !beforeMonth.test(wordBefore(match)) ? undefined : within(time, period);
});

/** "last year in June", "last week on Tuesday" */
const periodAndTime = reduction('<T>,? (?:in|on|at|over|during) (?:the )?<T>', (_, [period, time]) => {
  return time && period && period.kind !== 'year' ? within(time, period) : undefined;
});

/** "in 2019 in March", "In 2019, at Christmas" */
const yearAndTime = reduction('\\b(?:in|during) <T>,? (?:in|at|over|during) (?:the )?<T>', (_, [year, time]) => {
  return year?.kind === 'year' && time ? within(time, year) : undefined;
});

function within(time: Meant, period: Meant): Meant | undefined {
  const span = fixedSpan(period);
  if (span === undefined || !isRecurring(time.time) || lengthOf(span) < 7) return undefined;
  const found = timeWithin(time.time, span);
  const isPart = found !== undefined && (isBefore(span.from, found.from) || isBefore(found.to, span.to));
  return isPart ? clear(found, time.kind) : undefined;
}

/** "last Christmas", "next Halloween"; "this Easter" is the next one or the last one, by the tense. */
const steppedHoliday = reduction(String.raw`\b(last|this|next) <T>`, ([, which = ''], [term], { today }) => {
  if (term?.kind !== 'holiday' || !isRecurring(term.time)) return undefined;
  if (which.toLowerCase() === 'this') return { ...term, isClear: true };
  const isPast = which.toLowerCase() === 'last';
  const span = isPast ? lastOver(term.time, today) : nextBegun(term.time, addDays(today, 1));
  return span && clear(span, 'holiday');
});

/** A time and the longer one that contains it become one term. */
export const compositions: readonly Reduction[] = [
  weekdayAndDay,
  timeOfPeriod,
  periodAndTime,
  yearAndTime,
  steppedHoliday,
];

/** The prepositions that make a date of a phrase that could be something else. */
const prepositions: Readonly<Record<TermKind, RegExp | undefined>> = {
  day: /^(?:on|for|around)$/,
  weekday: /^(?:on|for|around)$/,
  holiday: /^(?:on|at|over|during|around)$/,
  weekend: /^(?:on|at|over|during|for|around)$/,
  month: /^(?:in|during|throughout|within|around)$/,
  season: /^(?:in|during|over|throughout|around)$/,
  year: /^(?:in|during|throughout|within|of|for|from|around)$/,
  period: /^(?:in|during|over|throughout|within|of|for|from|around)$/,
  open: undefined,
};

const prepositional = reduction(
  String.raw`\b(as of|(?:whole|all|most|rest|course) of|in|on|at|over|during|throughout|within|around|about|for|of|from) (?:the )?<T>(?! of\b)`,
  (match, [term]) => {
    const written = match[1]?.toLowerCase() ?? '';
    const word = written.endsWith(' of') ? 'in' : written;
    if (term === undefined || !fits(term, word)) return undefined;
    if (term.isName && !isDateContext(match) && word !== 'in') return undefined;
    // "hurt in the fall" is about an accident.
    if (/^fall$/i.test(term.phrase) && /\b(?:hurt|injur|broke|fractur|bruis)/i.test(match.input)) return undefined;
    return clarified(term, word);
  },
);

function fits({ kind, isClear, phrase }: Term, word: string): boolean {
  // "What did he say about last year?"
  if (word === 'about') return / ago$/.test(phrase);
  if (isClear && /^(?:for|of|from)$/.test(word)) return false;
  return (isClear && word === 'around') || (prepositions[kind]?.test(word) ?? false);
}

function clarified(term: Term, word: string): Meant | undefined {
  const isRough = word === 'around' || word === 'about';
  if (!isRough && !(term.kind === 'holiday' && /^(?:at|over|during)$/.test(word))) return { ...term, isClear: true };
  const time = mapTime(term, (span) => wider(span, isRough));
  return time && clear(time, term.kind);
}

/** "over Christmas" adds a day on both sides, "around" half the length of the time, but at least three days. */
function wider(span: DaySpan, isRough: boolean): DaySpan {
  const days = isRough ? Math.max(3, Math.round(lengthOf(span) / 2)) : 1;
  return { from: addDays(span.from, -days), to: addDays(span.to, days) };
}

/** "July?", "What about 2022?" */
const wholeQuestion = reduction(
  String.raw`(?<=^\W{0,20}(?:(?:what|how|anything|everything) about )?(?:the )?)<T>(?=\W{0,20}$)`,
  (_, [term]) => (term && !term.isName ? { ...term, isClear: true } : undefined),
);

/** The words around a term tell a date from a name. */
export const clarifications: readonly Reduction[] = [prepositional, wholeQuestion];
