import { addDays, addMonths, type CalendarDay } from '../calendar.ts';
import { number, readWeekday, weekday } from '../date-words.ts';
import { type DaySpan, lengthOf, monthsFrom } from '../day-span.ts';
import { everyWeek, nextBegun, type Recurring } from '../recurring.ts';
import { type Reduction, reduction } from './reduction.ts';
import { readAmount, shift } from './relative-atoms.ts';
import { mapTime, type Term } from './term.ts';

const thirds: Readonly<Record<string, number>> = {
  early: 0,
  start: 0,
  beginning: 0,
  mid: 1,
  middle: 1,
  late: 2,
  end: 2,
};
const halves: Readonly<Record<string, number>> = { 'first half': 0, 'second half': 1, 'last half': 1 };

/** "early June", "mid-2022", "the end of last month", "the second half of 2022" */
const partOf = reduction(
  String.raw`(?:\b(early|mid|late)(?:[ -]| in (?:the )?| on )|\b(?:the (?:very )?)?(start|beginning|middle|end|first half|second half|last half) of (?:the )?)<T>`,
  ([, adjective, noun], [term]) => {
    const name = (adjective ?? noun ?? '').toLowerCase();
    const half = halves[name];
    const cut = (span: DaySpan) => (half === undefined ? partAt(span, thirds[name] ?? 0, 3) : partAt(span, half, 2));
    return term && ofTerm(term, cut);
  },
);

/** Whole months where the parts are such; undefined for what is too short to have parts. */
function partAt(span: DaySpan, index: number, count: number): DaySpan | undefined {
  const months = monthsIn(span);
  if (months !== undefined && months % count === 0) {
    return monthsFrom(addMonths(span.from, (months / count) * index), months / count);
  }
  const days = lengthOf(span);
  if (days < 7) return undefined;
  return {
    from: addDays(span.from, Math.floor((days * index) / count)),
    to: addDays(span.from, Math.ceil((days * (index + 1)) / count)),
  };
}

function monthsIn({ from, to }: DaySpan): number | undefined {
  return from.day === 1 && to.day === 1 ? 12 * (to.year - from.year) + to.month - from.month : undefined;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];
const ordinal = `(${ordinals.join('|')}|[1-5](?:st|nd|rd|th)|last|final)`;

/** "the second week of November", "the first weekend in October", "the last Friday of May" */
const nthOf = reduction(
  String.raw`\b${ordinal} (day|week|weekend|month|quarter|${weekday}) (?:of|in) (?:the )?<T>`,
  ([, which = '', name = ''], [term]) => term && ofTerm(term, (span) => nthIn(span, readOrdinal(which), name)),
);

/** "the last two weeks of August", "the first few days of 2023" */
const unitsOf = reduction(
  String.raw`\b(first|last|final) (${number}|few|couple of) (day|week|month)s (?:of|in) (?:the )?<T>`,
  ([, which = '', amount = '', name = ''], [term]) => {
    const [, count] = readAmount(amount);
    const isFirst = which.toLowerCase() === 'first';
    const cut = ({ from, to }: DaySpan) =>
      isFirst ? { from, to: shift(from, count, name) } : { from: shift(to, -count, name), to };
    return term && ofTerm(term, cut);
  },
);

/** 0 is the first one, -1 the last one. */
function readOrdinal(text: string): number {
  const word = text.toLowerCase();
  return /^\d/.test(word) ? Number(word[0]) - 1 : ordinals.indexOf(word);
}

function nthIn(span: DaySpan, index: number, name: string): DaySpan | undefined {
  const found =
    name.toLowerCase() === 'weekend' || readWeekday(name) >= 0
      ? nthTime(span, index, name)
      : nthUnit(span, index, name.toLowerCase());
  const isInside = found !== undefined && lengthOf({ from: span.from, to: found.from }) < lengthOf(span);
  return isInside ? found : undefined;
}

function nthUnit({ from, to }: DaySpan, index: number, unit: string): DaySpan {
  const start = (at: CalendarDay, count: number) =>
    unit === 'quarter' ? shift(at, 3 * count, 'month') : shift(at, count, unit);
  return index < 0 ? { from: start(to, -1), to } : { from: start(from, index), to: start(from, index + 1) };
}

function nthTime({ from, to }: DaySpan, index: number, name: string): DaySpan | undefined {
  const time = nextBegun(weekly(name), index < 0 ? addDays(to, -7) : from);
  const days = 7 * Math.max(index, 0);
  return time && { from: addDays(time.from, days), to: addDays(time.to, days) };
}

/** The weekdays and the weekend. */
export function weekly(name: string): Recurring {
  return name.toLowerCase() === 'weekend' ? everyWeek(5, 2) : everyWeek(readWeekday(name));
}

function ofTerm(term: Term, cut: (span: DaySpan) => DaySpan | undefined) {
  if (term.kind === 'day' || term.kind === 'weekday' || term.kind === 'open') return undefined;
  const time = mapTime(term, cut);
  return time && { kind: 'period' as const, time, isClear: true };
}

/** A part of a time. */
export const partReductions: readonly Reduction[] = [partOf, nthOf, unitsOf];
