import { addDays, type CalendarDay } from './calendar.ts';
import { directionOf, followsOtherYear, isNextWeekday } from './clause.ts';
import { beforeDate, month, monthDay, number, readWeekday, steps, weekday } from './date-words.ts';
import { periodSpan } from './day-span.ts';
import { type DateRule, type Meaning, oneDay, type Reference, type Surroundings } from './mentions.ts';
import { holiday } from './named-times.ts';
import { everyWeek, lastOver, nextUnfinished } from './recurring.ts';
import type { Tense } from './tense.ts';

/** "the 13th" and a number at the end of a clause, which must be the day that is found. */
const nthDay = String.raw`(?:,? (?:the )?(${monthDay})(?:(?:st|nd|rd|th)\b(?! (?:of )?${month})|(?=$|[.,;!?)](?: |$)| (?:and|at|with|in|for|to|when|where|I|we|it|he|she|they)\b)))?`;
const ordinal =
  '(?:(?:twenty-|thirty-)?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|tenth|eleventh|twelfth|[a-z]{3,8}teenth|twentieth|thirtieth)';
/** A date, a month, a year or another time behind a weekday tells which one it is. */
const ownDate = [
  String.raw`(?:,? (?:and|or|to|until|through) ${weekday})?${beforeDate}(?:(?:${monthDay}(?:st|nd|rd|th)?|${ordinal})(?: of)? ${month}|${month} (?:the )?\d|${monthDay}(?:st|nd|rd|th)\b|\d{1,2}\/\d{1,2}\b|\d{1,2}\.\d{1,2}\.|\d{4}-\d)`,
  String.raw`,? in (?:(?:early|mid|late) )?(?:${month}|(?:1\d|20)\d\d)\b`,
  String.raw`,? in the (?:first|second|third|fourth|last|same|following|previous|week|month)\b`,
  String.raw`(?:,? (?:last|that|the(?: same| following| previous| other| next)?)| next| this) (?:week|month|year)\b`,
  String.raw` \((?:yesterday|today|tomorrow)\b`,
  String.raw`,? (?:before last|week)\b`,
  String.raw`,? (?:before|after) ${holiday}\b`,
  String.raw`,? (?:${number}|a few|few|several|some) (?:day|week|month|year)s? (?:ago|later|earlier|before|after|from)\b`,
].join('|');
const weekdayEnd = String.raw`\b(?!['’-]| of\b| (?:morning|afternoon|evening|night)s\b|${ownDate})`;

const namedWeekday: DateRule = {
  pattern: new RegExp(
    String.raw`\b(last|next|this past|this coming|this) (${weekday})(?:['’]s\b|${nthDay}${weekdayEnd})`,
    'gi',
  ),
  read: (match, { today, sentence }) => {
    const which = match[1]?.toLowerCase() ?? '';
    const name = match[2] ?? '';
    if (which === 'next') return onDay(weekdayIn(1, name, today), match[3]);
    const direction = which === 'this' ? directionOf(sentence()) : which === 'this coming' ? 'future' : 'past';
    return onDay(closeWeekday(name, direction, today), match[3]);
  },
};

/** "on May 12, 2017, " before "on Friday" */
const dateBefore = new RegExp(
  String.raw`\b(?:${month} ${monthDay}|${monthDay}(?:st|nd|rd|th)?(?: of)? ${month})(?:st|nd|rd|th)?(?:,? \d{4})?,? $`,
);

/**
 * Without a tense, the last and the next one are equally likely, except for what is scheduled or required once. "A week on
 * Friday" is the one after.
 */
const onWeekday: DateRule = {
  pattern: new RegExp(
    String.raw`(?<!\b(?:ago|later|earlier|(?:last|next|that|following) (?:week|month|year)),? |\b${number} weeks? )\bon (${weekday})${nthDay}${weekdayEnd}`,
    'gi',
  ),
  read: (match, reference) => {
    const { today, sentence } = reference;
    const direction = directionOf(sentence()) ?? nextWithoutTense(reference, 'on');
    if (direction === undefined || dateBefore.test(sentence().before) || followsOtherYear(sentence(), today))
      return undefined;
    return onDay(closeWeekday(match[1] ?? '', direction, today), match[2]);
  },
};

/** Of the past, "by Friday" does not tell which one. */
const byWeekday: DateRule = {
  pattern: new RegExp(String.raw`\bby (${weekday})${nthDay}${weekdayEnd}`, 'gi'),
  read: (match, reference) => {
    const { today, sentence } = reference;
    const direction = directionOf(sentence()) ?? nextWithoutTense(reference, 'by');
    if (direction !== 'future' || followsOtherYear(sentence(), today)) return undefined;
    return onDay(closeWeekday(match[1] ?? '', direction, today), match[2]);
  },
};

function nextWithoutTense({ sentence, tense }: Reference, by: 'on' | 'by'): Tense {
  return tense() === undefined && isNextWeekday(sentence(), by) ? 'future' : undefined;
}

/** A weekday in the past is never today. */
function closeWeekday(name: string, direction: Tense, today: CalendarDay): CalendarDay | undefined {
  const recurring = everyWeek(readWeekday(name));
  return (direction === 'past' ? lastOver : nextUnfinished)(recurring, today)?.from;
}

function onDay(day: CalendarDay | undefined, nth: string | undefined): Meaning | undefined {
  return nth === undefined || day?.day === Number(nth) ? oneDay(day) : undefined;
}

/** "on Friday last week", "next week on Friday" */
const weekdayOfWeek: DateRule = {
  pattern: new RegExp(
    String.raw`(?:\b(?:on )?(${weekday}) (?:of )?(last|this|next) week|(?<!\b(?:the|my|his|her|its|our|their|your|an?|first|very) )\b(last|this|next) week,? on (${weekday}))\b(?!['’-])`,
    'gi',
  ),
  read: (match, { today }) => {
    const step = steps[(match[2] ?? match[3] ?? '').toLowerCase()];
    const name = match[1] ?? match[4] ?? '';
    return step === undefined ? undefined : oneDay(weekdayIn(step, name, today));
  },
};

/** The weekday of the last (-1), the present or the next week. */
function weekdayIn(step: number, name: string, today: CalendarDay): CalendarDay {
  return addDays(periodSpan('week', step, today).from, readWeekday(name));
}

const weekdayInFront = new RegExp(String.raw`\b${weekday},? $`, 'i');
const weekdayBehind = new RegExp(
  String.raw`^,? (?:on )?(?:an? )?${weekday}\b(?! (?:mornings|afternoons|evenings|nights)\b)`,
  'i',
);

/** Whether a weekday stands directly before or after: "on Friday two weeks ago", "two weeks ago on Friday". */
export function isBesideWeekday({ before, after }: Surroundings): boolean {
  return weekdayInFront.test(before) || weekdayBehind.test(after);
}

/** The rules that questions share. */
export const sharedWeekdayRules: readonly DateRule[] = [namedWeekday];

export const weekdayRules: readonly DateRule[] = [onWeekday, byWeekday, weekdayOfWeek];
