import { addDays, isBefore } from '../calendar.ts';
import type { DaySpan } from '../day-span.ts';
import { lastBegun, nextUnfinished } from '../recurring.ts';
import { isDateContext, type Reduction, reduction } from './grammar.ts';
import { type Asking, clear, closedSpan, isRecurring, type Meant, type OpenSpan, type Term } from './terms.ts';

/** "earlier this year", "later this month" */
const restOf = reduction(String.raw`\b(earlier|later) (?:in )?<T>`, ([, which = ''], [term], asking) => {
  const span = term && closedSpan(term, asking);
  const { today } = asking;
  if (span === undefined || isBefore(today, span.from) || !isBefore(today, span.to)) return undefined;
  return clear(which.toLowerCase() === 'earlier' ? { ...span, to: addDays(today, 1) } : { ...span, from: today });
});

/** "between March and May 2023", "from Monday to Wednesday", "from March to now" */
const betweenTerms = reduction(
  String.raw`\b(?:between|from) (?:the )?<T> ?(?:to|until|till|through|and|up to|[-–—]) ?(?:the )?(?:<T>|now\b)`,
  (_, [left, right], asking) => {
    if (left === undefined) return undefined;
    return right === undefined ? openedBy('since', left, asking) : rangeOf(left, right, asking);
  },
);

/** "2019–2021", "June 2022 to March 2023": without "between" or "from", one end must certainly be a date. */
const joinedTerms = reduction(
  '<T>(?: ?[-–—] ?| (?:to|until|till|through) )(?:the )?<T>',
  (_, [left, right], asking) => {
    if (left === undefined || right === undefined) return undefined;
    const isDated = left.isClear || right.isClear || (left.kind === 'year' && right.kind === 'year');
    return isDated ? rangeOf(left, right, asking) : undefined;
  },
);

/** "in June or July", "January and February 2022": from the first to the last. */
const coordinated = reduction(
  '<T>,? (?:and|or) (?:in |on |during |over |at )?(?:the )?<T>',
  (_, [left, right], asking) => {
    if (left === undefined || right === undefined || left.kind !== right.kind) return undefined;
    if (!left.isClear && (left.kind !== 'month' || left.isName || isRecurring(right.time))) return undefined;
    const range = rangeOf(left, right, asking) ?? rangeOf(right, left, asking);
    return range && { ...range, kind: left.kind };
  },
);

function rangeOf(left: Term, right: Term, asking: Asking): Meant | undefined {
  const [first, last] = endsOf(left, right, asking);
  if (first === undefined || last === undefined || !isBefore(first.from, last.to)) return undefined;
  return clear({ from: first.from, to: last.to });
}

/** An end without a year takes the year from the other end. */
function endsOf(left: Term, right: Term, asking: Asking): [DaySpan | undefined, DaySpan | undefined] {
  if (isRecurring(right.time) && !isRecurring(left.time)) {
    const first = closedSpan(left, asking);
    return [first, first && nextUnfinished(right.time, first.to)];
  }
  const last = closedSpan(right, asking);
  if (!isRecurring(left.time)) return [closedSpan(left, asking), last];
  return [last && lastBegun(left.time, last.from), last];
}

type Opening = 'since' | 'before' | 'after' | 'until' | 'from';

/** A longer phrase stands before a shorter one that it begins or ends with. */
const openings: Readonly<Record<string, Opening>> = {
  since: 'since',
  'no earlier than': 'from',
  'on or after': 'from',
  'on or before': 'until',
  before: 'before',
  'prior to': 'before',
  'earlier than': 'before',
  after: 'after',
  'no later than': 'until',
  'later than': 'after',
  until: 'until',
  till: 'until',
  '(?<!-|leading |been )up to': 'until',
  by: 'until',
};

const open = reduction(
  String.raw`\b(${Object.keys(openings).join('|')}) (?:the )?(?:(?:start|beginning) of (?:the )?)?<T>`,
  (match, [term], asking) => {
    const word = match[1]?.toLowerCase() ?? '';
    if (term === undefined || (term.isName && (word === 'by' || !isDateContext(match)))) return undefined;
    return openedBy(openings[word] ?? 'until', term, asking);
  },
);

/** "from June 2022 on" */
const onwards = reduction(String.raw`\bfrom (?:the )?<T> (?:on|onwards?|forward)\b`, (_, [term], asking) => {
  return term && openedBy('from', term, asking);
});

/** "more than two years ago" */
const longAgo = reduction(String.raw`\b(?:more than|over) <T>`, (_, [term], asking) => {
  return term?.phrase.endsWith(' ago') ? openedBy('before', term, asking) : undefined;
});

function openedBy(opening: Opening, term: Term, asking: Asking): Meant | undefined {
  const span = closedSpan(term, asking);
  // "before last week's meeting" may be a day of last week.
  const isMeeting = /['’]s?$/.test(term.phrase);
  return span && clear(openSpan(opening, isMeeting, span, asking), 'open');
}

function openSpan(opening: Opening, isMeeting: boolean, { from, to }: DaySpan, { today }: Asking): OpenSpan {
  switch (opening) {
    case 'since':
      return { from, to: isBefore(today, from) ? undefined : addDays(today, 1) };
    case 'before':
      return { from: undefined, to: isMeeting ? to : from };
    case 'after':
      return { from: isMeeting ? from : to, to: undefined };
    case 'until':
      return { from: undefined, to };
    case 'from':
      return { from, to: undefined };
  }
}

/** Ranges, and times of which one end is open. */
export const rangeReductions: readonly Reduction[] = [restOf, betweenTerms, onwards, longAgo, open, joinedTerms];

/** Several times beside each other. */
export const coordinations: readonly Reduction[] = [coordinated];
