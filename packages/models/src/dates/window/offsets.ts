import { addDays, addMonths, isBefore } from '../calendar.ts';
import { number, numberStart, readWeekday, weekday } from '../date-words.ts';
import { type DaySpan, daysFrom, lengthOf, monthsFrom, type PeriodUnit, periodSpan } from '../day-span.ts';
import { everyWeek, lastOver, nextBegun, nextUnfinished, type Recurring } from '../recurring.ts';
import { isDateContext, type Reduction, reduction } from './grammar.ts';
import { amount, readAmount, shift } from './relative-atoms.ts';
import { clear, type Meant, mapTime, type Term } from './terms.ts';

/** Which of how many equal parts a word means. */
const parts: Readonly<Record<string, readonly [index: number, count: number]>> = {
  early: [0, 3],
  start: [0, 3],
  beginning: [0, 3],
  mid: [1, 3],
  middle: [1, 3],
  late: [2, 3],
  end: [2, 3],
  'first half': [0, 2],
  'second half': [1, 2],
};

/** "early June", "mid-2022", "the end of last month", "the second half of 2022" */
const partOf = reduction(
  String.raw`(?:\b(early|mid|late)(?:[ -]| in (?:the )?| on )|\b(?:the (?:very )?)?(?:tail )?(start|beginning|middle|end|first half|second half) of (?:the )?)<T>`,
  ([, adjective, noun = ''], [term]) => {
    const [index, count] = parts[(adjective ?? noun).toLowerCase()] ?? [0, 1];
    return term && ofTerm(term, (span) => partAt(span, index, count));
  },
);

/** Cut at the ends of months where possible; undefined for a time that is too short to have parts. */
function partAt({ from, to }: DaySpan, index: number, count: number): DaySpan | undefined {
  const months = from.day === 1 && to.day === 1 ? 12 * (to.year - from.year) + to.month - from.month : 0;
  if (months > 0 && months % count === 0) return monthsFrom(addMonths(from, (months / count) * index), months / count);
  const days = lengthOf({ from, to });
  if (days < 7) return undefined;
  return {
    from: addDays(from, Math.floor((days * index) / count)),
    to: addDays(from, Math.ceil((days * (index + 1)) / count)),
  };
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

/** "the second week of November", "the last Friday of May", "the first ten days of October", "the final days of 2023" */
const unitOf = reduction(
  String.raw`\b(${ordinals.join('|')}|[1-5](?:st|nd|rd|th)|last|final) (?:${amount} )?(day|week|weekend|month|quarter|${weekday})(s?) (?:of|in) (?:the )?<T>`,
  ([, which = '', count = 'few', name = '', plural], [term]) => {
    const word = which.toLowerCase();
    const index = /^\d/.test(word) ? Number(word[0]) - 1 : ordinals.indexOf(word);
    if (plural === '') return term && ofTerm(term, (span) => nthIn(span, index, name.toLowerCase()));
    if (index > 0) return undefined;
    return term && ofTerm(term, (span) => endOf(span, index, readAmount(count)[1], name));
  },
);

/** The first `count` units of a span or, for a negative index, the last ones. */
function endOf({ from, to }: DaySpan, index: number, count: number, unit: string): DaySpan {
  return index < 0 ? { from: shift(to, -count, unit), to } : { from, to: shift(from, count, unit) };
}

/** @param index 0 is the first one, -1 the last one */
function nthIn(span: DaySpan, index: number, name: string): DaySpan | undefined {
  const nearby = isWeekly(name) ? weekly(name).around(index < 0 ? span.to : span.from) : unitsIn(span, index, name);
  return nearby.filter(({ from }) => !isBefore(from, span.from) && isBefore(from, span.to)).at(index);
}

/** The first five units, or the last one. */
function unitsIn({ from, to }: DaySpan, index: number, name: string): DaySpan[] {
  const [unit, size] = name === 'quarter' ? ['month', 3] : [name, 1];
  if (index < 0) return [endOf({ from, to }, index, size, unit)];
  return ordinals.map((_, i) => ({ from: shift(from, i * size, unit), to: shift(from, (i + 1) * size, unit) }));
}

function ofTerm(term: Term, cut: (span: DaySpan) => DaySpan | undefined): Meant | undefined {
  if (term.kind === 'day' || term.kind === 'weekday' || term.kind === 'open') return undefined;
  const time = mapTime(term, cut);
  return time && clear(time);
}

const side = 'before|prior to|preceding|leading up to|ahead of|after|following|past';

/** "three days before Christmas", "two or three weeks after it", "in the two weeks before Easter", "within a week of 7 May" */
const unitsBeside = reduction(
  String.raw`\b(?:(within )|((?:in |during |over )?(?:the|these) (?:last |first )?)|(?:about |around |exactly |just )?)${numberStart}(?:(${number})(?: or | to | ?[–-] ?))?${amount} (day|week|month|year)s? (of|${side}) (?:the )?<T>`,
  (match, [term]) => {
    const [, within, stretch, low, count = '', unit = '', which = ''] = match;
    if (/^of$/i.test(which) && within === undefined) return undefined;
    const [least, most] = [readAmount(low ?? count)[0], readAmount(count)[1]];
    return besideTerm(match, term, (span) => {
      if (/^of$/i.test(which)) return { from: shift(span.from, -most, unit), to: shift(span.to, most, unit) };
      return (within ?? stretch) === undefined
        ? farFrom(span, [least, most], unit.toLowerCase(), isAfter(which))
        : nextTo(span, most, unit, isAfter(which));
    });
  },
);

/** The span that is a number of units away. */
function farFrom(
  { from, to }: DaySpan,
  [least, most]: readonly [number, number],
  unit: string,
  behind: boolean,
): DaySpan {
  const [first, last] = behind
    ? [shift(addDays(to, -1), least, unit), shift(addDays(to, -1), most, unit)]
    : [shift(from, -most, unit), shift(from, -least, unit)];
  if (least < most || unit === 'day') return { from: first, to: addDays(last, 1) };
  return unit === 'week' ? daysFrom(addDays(first, -3), 7) : periodSpan(unit as PeriodUnit, 0, first);
}

/** The units that end or begin where the span begins or ends. */
function nextTo({ from, to }: DaySpan, count: number, unit: string, behind: boolean): DaySpan {
  return behind ? { from: to, to: shift(to, count, unit) } : { from: shift(from, -count, unit), to: from };
}

/** "the week after New Year", "the Friday before 7 May", "the week of 20 October", "last weekend before 10 April" */
const unitBeside = reduction(
  String.raw`(?:\b(?:the |a )?(?:(?:very )?(?:last|next|first) )?(day|night|week|weekend|month|year|${weekday})|(?:the )?<T>) (?:right |just |immediately )?(of|${side}) (?:the )?<T>`,
  (match, terms) => {
    // The first time may have been read as a term of its own.
    const left = terms.length > 1 ? terms[0] : undefined;
    const name = match[1] ?? /^(?:last )?(weekend|week|month|year|\w+day)$/i.exec(left?.phrase ?? '')?.[1];
    const which = match[2]?.toLowerCase() ?? '';
    if (name === undefined || (left && (which === 'of' || (left.kind === 'day' && isAfter(which))))) return undefined;
    return besideTerm(match, terms.at(-1), (span) => unitAt(span, name.toLowerCase(), which));
  },
);

function unitAt(span: DaySpan, name: string, which: string): DaySpan | undefined {
  if (!isWeekly(name)) {
    const unit = name === 'night' ? 'day' : name;
    return which === 'of' ? periodSpan(unit as PeriodUnit, 0, span.from) : nextTo(span, 1, unit, isAfter(which));
  }
  if (which === 'of') return nextUnfinished(weekly(name), span.from);
  return isAfter(which) ? nextBegun(weekly(name), span.to) : lastOver(weekly(name), span.from);
}

function isWeekly(name: string): boolean {
  return name === 'weekend' || readWeekday(name) >= 0;
}

function weekly(name: string): Recurring {
  return name === 'weekend' ? everyWeek(5, 2) : everyWeek(readWeekday(name));
}

function besideTerm(
  match: RegExpExecArray,
  term: Term | undefined,
  map: (span: DaySpan) => DaySpan | undefined,
): Meant | undefined {
  if (term === undefined || (term.isName && !isDateContext(match))) return undefined;
  const time = mapTime(term, map);
  return time && clear(time);
}

function isAfter(which: string): boolean {
  return /^(?:after|following|past)$/i.test(which);
}

/** Parts of a time, and times that are counted from another time. */
export const offsetReductions: readonly Reduction[] = [partOf, unitOf, unitsBeside, unitBeside];
