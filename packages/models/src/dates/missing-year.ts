import { arrangedMeaningOf, endsTerm, tellsPast } from './arranged-for.ts';
import { type CalendarDay, dayNumber, isBefore, isDay, weekdayOf } from './calendar.ts';
import {
  directionOf,
  hasYear,
  isArranged,
  presentMeaningOf,
  readYear,
  type Scope,
  scopeOf,
  someWord,
} from './clause.ts';
import { beforeDate, month, monthDay, readMonth, readWeekday, upTo, weekday } from './date-words.ts';
import { type DaySpan, daysFrom } from './day-span.ts';
import type { Reference, Surroundings } from './mentions.ts';
import { everyYear, everyYearInMonth, lastBegun, nextBegun, nextUnfinished, type Recurring } from './recurring.ts';
import type { Tense } from './tense.ts';

/** A day that recurs every year. */
type DayOfYear = Pick<CalendarDay, 'month' | 'day'>;

/** An occurrence this close is meant whatever the tense of the sentence, unless there is no doubt about the tense. */
const nearDays = 60;

/** At most this much of a list is read, in characters, so that the time stays linear. */
const longestList = 80;

const dayAndMonth = `(?:(${monthDay})(?:st|nd|rd|th)?(?: of)? (${month})|(${month}) (${monthDay})(?:st|nd|rd|th)?)`;
const fullDate = new RegExp(String.raw`\b${dayAndMonth},? ((?:1\d|20)\d\d)\b`);
/** In front of the last day of a range, and of the day of the return: "outbound May 5, back May 12". */
const firstDay = new RegExp(
  String.raw`\b${dayAndMonth}(?:,? ((?:1\d|20)\d\d))?((?:,?${upTo}|(?<=\bbetween .{5,40}) and |,? (?:and )?(?:back|return(?:ing)?|check-?out):?(?: on)? )(?:the )?)$`,
);
/** Behind the first day of a range. */
const lastDay = new RegExp(
  String.raw`^,?${upTo}(?:the )?(?:${weekday}(?:,? |, the ))?${dayAndMonth},? ((?:1\d|20)\d\d)\b`,
);
/** In front of another day of a list: "Visits: May 5, May 12". */
const otherDay = new RegExp(
  String.raw`\b${dayAndMonth}(\)?(?:,|;|,? (?:and|&|or))(?: (?!(?:of|from|since|after|before)\b)${someWord}){0,3}:? )$`,
);
/** "We moved the party from May 12 to May 5" names no range. */
const rearranging =
  /\b(?:re(?:schedul|book)\w+|postpon\w+|mov(?:e[sd]?|ing)|chang(?:e[sd]?|ing)|shift\w*|push\w*|br(?:ing|ought) forward)\b/i;
/** "on Friday, " before "May 12" */
const weekdayBefore = new RegExp(
  String.raw`\b(?:(?:on|last|next|this(?: past| coming)?) )?(${weekday})${beforeDate}$`,
  'i',
);
const preposition = /\b(?:to|for|from|until|till|by|of|about|before|after|at)(?: the)? $/i;
const surelyPast =
  /\b(?:(?:was|were) (?:held )?|(?:went|came|left|met|saw|ate|ran|drove|flew|won|lost|fell|broke|sold|quit|rode|swam|woke|slept|spent|married|celebrated|visited|died|graduated|danced|played|travell?ed|arrived|returned|happened|enjoyed|watched|hiked)(?: [^\s,;]+){0,6} )(?:on )?(?:the )?$/i;
const surelyFuture = /(?:\b(?:will|won't|shall|going to|gonna)|['’]ll) (?:[\w'’]+ ){1,2}(?:on )?(?:the )?$/i;

const birth = /(?<!\bbe )\bborn(?: (?:in|at|near) \p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*)*)?,? (?:on )?(?:the )?$/u;
const anyBirth = /(?<!-|\bbe )\bborn\b/;
const birthday = /\bbirthday(?: is)?(?: on)? (?:the )?$/i;

/**
 * The day that "on May 5" means: the last or the next one by the tense of its sentence, and the closest one where that is
 * near or where the sentence has no tense. The year of a full date in the sentence counts before all that, and the last day
 * of a range is the next one after its first day. Undefined for births and birthdays, where the sentence names another year,
 * and where it is not the weekday in front of it.
 */
export function dayOfMissingYear(own: DayOfYear, { today, sentence }: Reference): CalendarDay | undefined {
  return dayInSentence(own, sentence(), today);
}

function dayInSentence(own: DayOfYear, sentence: Surroundings, today: CalendarDay): CalendarDay | undefined {
  const { before: written, after } = sentence;
  const closest = inYear(own, yearClosestTo(today, own));
  const [weekdayText = '', name = ''] = weekdayBefore.exec(written) ?? [];
  const before = written.slice(0, written.length - weekdayText.length);
  if (closest === undefined || birth.test(before)) return undefined;
  const day = dayOfRange(closest, { before, after }, today) ?? dayAlone(closest, { before, after }, today);
  return day === undefined || name === '' || weekdayOf(day) === readWeekday(name) ? day : undefined;
}

/** The year in which a day is closest to another day. */
function yearClosestTo(today: CalendarDay, own: DayOfYear): number {
  const daysAway = (year: number) => Math.abs(dayNumber({ ...own, year }) - dayNumber(today));
  const years = [today.year, today.year + 1, today.year - 1];
  return years.reduce((closest, year) => (daysAway(year) < daysAway(closest) ? year : closest));
}

function dayAlone(closest: CalendarDay, sentence: Surroundings, today: CalendarDay): CalendarDay | undefined {
  return hasYear(sentence)
    ? dayInNamedYear(closest, `${sentence.before}\n${sentence.after}`, today)
    : dayByTense(closest, sentence, today);
}

/** The last day of a range by its first one, and the first one by a last one that has its year. */
function dayOfRange(
  closest: CalendarDay,
  { before, after }: Surroundings,
  today: CalendarDay,
): CalendarDay | undefined {
  if (rearranging.test(before)) return undefined;
  const end = readFullDate(lastDay.exec(after));
  if (end !== undefined) return lastBegun(everyYearOn(closest), end)?.from;
  const first = firstDay.exec(before);
  const start = first && (readFullDate(first) ?? dayInFront(first, after, today));
  return start ? nextBegun(everyYearOn(closest), start)?.from : undefined;
}

/** @param match of a day without a year, with what stands between it and `after` as the last group */
function dayInFront(match: RegExpExecArray, after: string, today: CalendarDay): CalendarDay | undefined {
  const [, day, name, otherName, otherDay] = match;
  const own = { month: readMonth(name ?? otherName ?? ''), day: Number(day ?? otherDay) };
  return dayInSentence(own, { before: match.input.slice(0, match.index), after: `${match.at(-1)}${after}` }, today);
}

/** Of a match with a day, a month and a year; undefined without the year. */
function readFullDate(match: RegExpExecArray | null): CalendarDay | undefined {
  const [, day, name, otherName, otherDay, year] = match ?? [];
  if (year === undefined) return undefined;
  return { year: Number(year), month: readMonth(name ?? otherName ?? ''), day: Number(day ?? otherDay) };
}

/** The month that "in May" means, by the tense of its clause. Undefined for births, and where the sentence names another year. */
export function monthOfMissingYear(number: number, { today, sentence }: Reference): DaySpan | undefined {
  const around = sentence();
  const direction = directionOf(around);
  if (direction === undefined || anyBirth.test(scopeOf(around).text)) return undefined;
  const span = (direction === 'past' ? lastBegun : nextUnfinished)(everyYearInMonth(number), today);
  const isKnown = !hasYear(around) || readYear(`${around.before}\n${around.after}`, today) === span?.from.year;
  return isKnown ? span : undefined;
}

function dayInNamedYear(closest: CalendarDay, sentence: string, today: CalendarDay): CalendarDay | undefined {
  const full = readFullDate(fullDate.exec(sentence));
  if (full !== undefined) return closestTo(full, closest) ?? inYear(closest, full.year);
  return readYear(sentence, today) === closest.year ? closest : undefined;
}

/** Around the turn of the year, a day belongs to the year next to it. */
function closestTo(full: CalendarDay, { month, day }: CalendarDay): CalendarDay | undefined {
  const years = [full.year - 1, full.year, full.year + 1];
  return years.flatMap((year) => inYear({ month, day }, year) ?? []).find((each) => isNear(each, full));
}

function isNear(left: CalendarDay, right: CalendarDay): boolean {
  return Math.abs(dayNumber(left) - dayNumber(right)) <= nearDays;
}

/** Undefined for 29 February in other years than leap years. */
function inYear({ month, day }: DayOfYear, year: number): CalendarDay | undefined {
  const own = { year, month, day };
  return isDay(own) ? own : undefined;
}

function dayByTense(closest: CalendarDay, sentence: Surroundings, today: CalendarDay): CalendarDay | undefined {
  const scope = scopeOf(sentence);
  const { before, tense } = scope;
  const recurring = everyYearOn(closest);
  if (/\bsince (?:the )?$/i.test(before) && !/\bwill\b/i.test(before)) return lastBegun(recurring, today)?.from;
  const undirected = () => dayWithoutTense(closest, sentence, today);
  if (isUndirected(scope) || endsTerm(sentence))
    return /\bbirthday is\b/i.test(before) && birthday.test(before) ? undefined : undirected();
  if (tense === undefined) return birthday.test(before) ? undefined : undirected();
  const isCertain = !preposition.test(before) && (tense === 'past' ? surelyPast : surelyFuture).test(before);
  return isCertain || !isNear(closest, today) ? directed(recurring, tense, today) : closest;
}

/**
 * The closest day; but where that is long ago, the next one of what is scheduled, arranged or listed after a day to come, and
 * none of what is in the present.
 */
function dayWithoutTense(closest: CalendarDay, sentence: Surroundings, today: CalendarDay): CalendarDay | undefined {
  if (isNear(closest, today) || isBefore(today, closest)) return closest;
  const isListed = () => followsComingDay(sentence, today);
  const meaning = arrangedMeaningOf(sentence) ?? (isListed() ? 'future' : presentMeaningOf(sentence));
  if (meaning === 'future') return nextUnfinished(everyYearOn(closest), today)?.from;
  return meaning === undefined ? closest : undefined;
}

function followsComingDay(sentence: Surroundings, today: CalendarDay): boolean {
  const match = otherDay.exec(sentence.before.slice(-longestList));
  const other = match && !tellsPast(sentence) ? dayInFront(match, sentence.after, today) : undefined;
  return other !== undefined && isBefore(today, other);
}

function everyYearOn(own: DayOfYear): Recurring {
  return everyYear((year) => {
    const day = inYear(own, year);
    return day && daysFrom(day);
  });
}

function isUndirected(scope: Scope): boolean {
  const { before, tense, isPresent } = scope;
  if (isArranged(scope) || (isPresent && tense !== 'future')) return true;
  return /\bfor (?:the )?$/i.test(before) || (/\bto (?:the )?$/i.test(before) && !/\bfrom\b/i.test(before));
}

function directed(recurring: Recurring, tense: Tense, today: CalendarDay): CalendarDay | undefined {
  return (tense === 'past' ? lastBegun : nextUnfinished)(recurring, today)?.from;
}
