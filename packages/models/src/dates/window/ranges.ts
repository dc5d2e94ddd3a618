import { addDays, isBefore } from '../calendar.ts';
import type { DaySpan } from '../day-span.ts';
import { lastBegun, nextUnfinished } from '../recurring.ts';
import { isDateContext, type Reduction, reduction } from './reduction.ts';
import { type Asking, closedSpan, isRecurring, type Meant, type OpenSpan, type Term } from './term.ts';

const upTo = '(?:to|until|till|through|and|up to|[-–—])';

/** "between March and May 2023", "from Monday to Wednesday" */
const betweenTerms = reduction(
  String.raw`\b(?:between|from) (?:the )?<T> ?${upTo} ?(?:the )?<T>`,
  (_, [left, right], asking) => left && right && rangeOf(left, right, asking),
);

/** "2019–2021", "June 2022 to March 2023": without a word in front both ends must look like dates. */
const joinedTerms = reduction(
  '<T>(?: ?[-–—] ?| (?:to|until|till|through) )(?:the )?<T>',
  (_, [left, right], asking) => {
    if (left === undefined || right === undefined) return undefined;
    const isDated = left.isClear || right.isClear || (left.kind === 'year' && right.kind === 'year');
    return isDated ? rangeOf(left, right, asking) : undefined;
  },
);

/** "in June or July", "last spring and this spring": from the first to the last. */
const coordinated = reduction(
  String.raw`<T>(,|,? and|,? or| vs\.?| versus) (?:in |on |during |over |at )?(?:the )?<T>`,
  ([, word], [left, right], asking) => {
    if (left === undefined || right === undefined || left.kind !== right.kind) return undefined;
    // "Monday, 7 May" is one day.
    if (word === ',' && left.kind !== 'month' && left.kind !== 'year') return undefined;
    const isOneFixed = isRecurring(left.time) && !isRecurring(right.time);
    if (!left.isClear && !(isOneFixed && left.kind === 'month' && !left.isName)) return undefined;
    const [first, second] = isOneFixed
      ? endsOf(left, right, asking)
      : [closedSpan(left, asking), closedSpan(right, asking)];
    return first && second && { kind: left.kind, time: hull(first, second), isClear: true };
  },
);

function rangeOf(left: Term, right: Term, asking: Asking): Meant | undefined {
  const [first, last] = endsOf(left, right, asking);
  if (first === undefined || last === undefined || !isBefore(first.from, last.to)) return undefined;
  return { kind: 'period', time: { from: first.from, to: last.to }, isClear: true };
}

/** An end without a year takes it from the other end. */
function endsOf(left: Term, right: Term, asking: Asking): [DaySpan | undefined, DaySpan | undefined] {
  if (isRecurring(right.time) && !isRecurring(left.time)) {
    const first = closedSpan(left, asking);
    return [first, first && nextUnfinished(right.time, first.to)];
  }
  const last = closedSpan(right, asking);
  if (!isRecurring(left.time)) return [closedSpan(left, asking), last];
  return [last && lastBegun(left.time, last.from), last];
}

function hull(left: DaySpan, right: DaySpan): DaySpan {
  return {
    from: isBefore(right.from, left.from) ? right.from : left.from,
    to: isBefore(left.to, right.to) ? right.to : left.to,
  };
}

const openEnds: Readonly<Record<string, (span: DaySpan, asking: Asking, isMeeting: boolean) => OpenSpan>> = {
  since: ({ from }, { today }) => ({ from, to: isBefore(today, from) ? undefined : addDays(today, 1) }),
  before: ({ from, to }, _, isMeeting) => ({ from: undefined, to: isMeeting ? to : from }),
  after: ({ from, to }, _, isMeeting) => ({ from: isMeeting ? from : to, to: undefined }),
  until: ({ to }) => ({ from: undefined, to }),
  from: ({ from }) => ({ from, to: undefined }),
};

/** Longer ones before those that they begin or end with. */
const openWords: Readonly<Record<string, keyof typeof openEnds>> = {
  'ever since': 'since',
  since: 'since',
  'not before': 'from',
  'no earlier than': 'from',
  before: 'before',
  'prior to': 'before',
  'earlier than': 'before',
  after: 'after',
  'no later than': 'until',
  'later than': 'after',
  'up until': 'until',
  until: 'until',
  till: 'until',
  '(?<!-|leading )up to': 'until',
  by: 'until',
};

const open = reduction(
  String.raw`\b(${Object.keys(openWords).join('|')}) (?:the )?(?:(?:start|beginning) of (?:the )?)?<T>`,
  (match, [term], asking) => {
    const word = match[1]?.toLowerCase() ?? '';
    if (term === undefined || (term.isName && (word === 'by' || !isDateContext(match)))) return undefined;
    return openedBy(openWords[word] ?? 'until', term, asking);
  },
);

/** "from June 2022 on" */
const onwards = reduction(String.raw`\bfrom (?:the )?<T> (?:on|onwards?|forward)\b`, (_, [term], asking) => {
  return term && openedBy('from', term, asking);
});

/** "more than two years ago", "over a month ago" */
const longAgo = reduction(String.raw`\b(?:more than|over) <T>`, (_, [term], asking) => {
  return term?.phrase.endsWith(' ago') ? openedBy('before', term, asking) : undefined;
});

/** What was before last week's meeting may have been in last week. */
function openedBy(word: string, term: Term, asking: Asking): Meant | undefined {
  const span = closedSpan(term, asking);
  const time = span && openEnds[word]?.(span, asking, /['’]s?$/.test(term.phrase));
  return time && { kind: 'open', time, isClear: true };
}

/** "earlier this year", "later that week" is not among them. */
const restOf = reduction(String.raw`\b(earlier|later) (?:in )?<T>`, ([, which = ''], [term], asking) => {
  const span = term && closedSpan(term, asking);
  const { today } = asking;
  if (span === undefined || isBefore(today, span.from) || !isBefore(today, span.to)) return undefined;
  const time = which.toLowerCase() === 'earlier' ? { ...span, to: addDays(today, 1) } : { ...span, from: today };
  return { kind: 'period', time, isClear: true };
});

/** From one time to another, or from or to one. */
export const rangeReductions: readonly Reduction[] = [restOf, betweenTerms, onwards, longAgo, open, joinedTerms];

/** Several times beside each other. */
export const coordinations: readonly Reduction[] = [coordinated];
