import { addDays } from '../calendar.ts';
import { number, weekday } from '../date-words.ts';
import { type DaySpan, daysFrom, type PeriodUnit, periodSpan } from '../day-span.ts';
import { lastOver, nextBegun, nextUnfinished } from '../recurring.ts';
import { weekly } from './parts.ts';
import { isDateContext, type Reduction, reduction } from './reduction.ts';
import { readAmount, shift } from './relative-atoms.ts';
import { type Meant, mapTime, type Term } from './term.ts';

const before = '(?:before|prior to|preceding|leading up to|ahead of)';
const after = '(?:after|following|past)';
const side = `(${before}|${after})`;
const amount = `(${number}|a few|few|several|some)`;

/** "three days before Christmas", "a week after 7 May" */
const unitsBeside = reduction(
  String.raw`\b(?:about |around |exactly |just |roughly )?${amount} (day|week|month|year)s? ${side} (?:the )?<T>`,
  (match, [term]) => {
    const [, count = '', unit = '', which = ''] = match;
    return besideTerm(match, term, (span) => farFrom(span, readAmount(count), unit.toLowerCase(), isBehind(which)));
  },
);

/** "in the two weeks before Christmas", "within a week of 7 May", "the days after Easter" */
const stretchBeside = reduction(
  String.raw`\b(?:in |during |over |within )?(?:the |these )(?:last |first )?(?:(${number}|few|several|couple of) )?(days|weeks|months|years) ${side} (?:the )?<T>`,
  (match, [term]) => {
    const [, count = 'few', units = '', which = ''] = match;
    const [, most] = readAmount(count);
    return besideTerm(match, term, (span) => stretch(span, most, units.slice(0, -1), isBehind(which)));
  },
);

const withinUnits = reduction(
  String.raw`\bwithin ${amount} (day|week|month|year)s? (of|${before}|${after}) (?:the )?<T>`,
  (match, [term]) => {
    const [, count = '', unit = '', which = ''] = match;
    const [, most] = readAmount(count);
    return besideTerm(match, term, (span) => {
      const behind = stretch(span, most, unit, true);
      const ahead = stretch(span, most, unit, false);
      if (which.toLowerCase() === 'of') return { from: ahead.from, to: behind.to };
      return isBehind(which) ? behind : ahead;
    });
  },
);

/** "the week after New Year", "the Friday before 7 May", "the weekend of 7 May", "the following week" is not among them. */
const unitBeside = reduction(
  String.raw`\b(?:the |a )?(?:(?:very )?(?:last|next|first) )?(day|night|week|weekend|month|year|${weekday}) (?:right |just |immediately )?(${before}|${after}|of) (?:the )?<T>`,
  (match, [term]) => {
    const [, name = '', which = ''] = match;
    return besideTerm(match, term, (span) => unitAt(span, name.toLowerCase(), which.toLowerCase()));
  },
);

/** "the Friday before 7 May", "last weekend before 10 April": what the first one means alone does not count. */
const timeBeside = reduction(`(?:the )?<T> (${before}|${after}) (?:the )?<T>`, (match, [left, term]) => {
  const name = /^(?:last )?(weekend|week|month|year|\w+day)$/i.exec(left?.phrase ?? '')?.[1];
  if (name === undefined || (left?.kind === 'day' && isBehind(match[1] ?? ''))) return undefined;
  return besideTerm(match, term, (span) => unitAt(span, name.toLowerCase(), (match[1] ?? '').toLowerCase()));
});

function besideTerm(
  match: RegExpExecArray,
  term: Term | undefined,
  map: (span: DaySpan) => DaySpan | undefined,
): Meant | undefined {
  if (term === undefined || (term.isName && !isDateContext(match))) return undefined;
  const time = mapTime(term, map);
  return time && { kind: 'period', time, isClear: true };
}

function isBehind(which: string): boolean {
  return new RegExp(`^${after}$`, 'i').test(which);
}

function farFrom({ from, to }: DaySpan, [least, most]: [number, number], unit: string, behind: boolean): DaySpan {
  const base = behind ? addDays(to, -1) : from;
  const ends = [shift(base, behind ? least : -most, unit), shift(base, behind ? most : -least, unit)] as const;
  if (least < most || unit === 'day') return { from: ends[0], to: addDays(ends[1], 1) };
  return unit === 'week' ? daysFrom(addDays(ends[0], -3), 7) : periodSpan(unit as PeriodUnit, 0, ends[0]);
}

function stretch({ from, to }: DaySpan, count: number, unit: string, behind: boolean): DaySpan {
  return behind ? { from: to, to: shift(to, count, unit) } : { from: shift(from, -count, unit), to: from };
}

function unitAt(span: DaySpan, name: string, which: string): DaySpan | undefined {
  const unit = name === 'night' ? 'day' : name;
  const isWeekly = unit === 'weekend' || (unit.endsWith('day') && unit !== 'day');
  if (!isWeekly) {
    return which === 'of' ? periodSpan(unit as PeriodUnit, 0, span.from) : stretch(span, 1, unit, isBehind(which));
  }
  if (which === 'of') return nextUnfinished(weekly(unit), span.from);
  return isBehind(which) ? nextBegun(weekly(unit), span.to) : lastOver(weekly(unit), span.from);
}

/** Times that are told from another time. */
export const offsetReductions: readonly Reduction[] = [withinUnits, stretchBeside, unitsBeside, timeBeside, unitBeside];
