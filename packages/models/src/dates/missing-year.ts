import { anyCase } from '../any-case.ts';
import { addDays, type CalendarDay, dayNumber, isSameDay } from './calendar.ts';
import { month, monthDay, readMonth } from './date-words.ts';
import { daysFrom } from './day-span.ts';
import { type Reference, type Surroundings, type Tense, tenseOf } from './mentions.ts';
import { everyYear, lastBegun, nextUnfinished, type Recurring } from './recurring.ts';

/** An occurrence this close is meant whatever the tense of the sentence, unless there is no doubt about the tense. */
const nearDays = 60;

const units =
  '(?:euros?|dollars?|pounds?|francs|yen|steps|people|persons|members|tickets|copies|pages|words|lines|items|units|pieces|books|photos|points|calories|kcal|miles|met(?:re|er)s|feet|km|m|kg|g|mg|ml|lit(?:re|er)s|hours|minutes|seconds|days|weeks|times|votes|others|rooms|jobs|[a-z]{3,}(?:ers|ors|ents|ants|ists|ees))';
const yearNumber = new RegExp(
  String.raw`(?:\b(?:${anyCase('in|of|until|till|by|from|during|before|after|early|mid|late|spring|summer|autumn|fall|winter|christmas')})|\b${month}|\b${monthDay}(?:st|nd|rd|th)?,?) ((?:1\d|20)\d\d)\b(?![.,]?\d| ?[€$£%-]| ${units}\b)`,
);
const yearWords = /\b(?:last|this|next) year\b|\byears? (?:ago|later|earlier|before|from now)\b/i;
const fullDate = new RegExp(
  String.raw`\b(?:(${monthDay})(?:st|nd|rd|th)?(?: of)? (${month})|(${month}) (${monthDay})(?:st|nd|rd|th)?),? ((?:1\d|20)\d\d)\b`,
);

const clauseEnd = /[,;:–—](?! \d{4}\b)|\b(?:and|but|so|that|because|while|when|where|which)\b/i;
const present =
  /\b(?:is|are|am|isn't|aren't|can|must|should|comes?|takes? place|starts?|begins?|opens?|ends?|leaves?|arrives?|expires?)\b|\b(?:it|he|she|that|there)['’]s\b|['’](?:re|m)\b/i;
const lastPast = /^.*\b(?:was|were|had|did|said|told|saw|met|made|went|got|found|wrote|heard|[a-z]{2,}ed)\b/i;
/** What is arranged is often still to come, and often is not. */
const arranged = new RegExp(
  [
    String.raw`\b(?:book(?:ed|ing)|schedul\w+|reschedul\w+|reserv\w+|postpon\w+|agree[ds]?|decid\w+|invit\w+|sign(?:ed|ing)? (?:\w+ )?up)\b`,
    String.raw`\b(?:tickets?|deadlines?|appointments?|due|arrang\w+|planned|register\w*|enroll?\w*|announc\w+|confirm\w+|remind\w*)\b`,
    String.raw`\b(?:was|were|been|got) (?:moved|changed|pushed|shifted|set|fixed|extended|delayed)\b`,
    String.raw`\b(?:told|asked|promised|offered|expected|supposed|wanted|hoped)\b[^,;]{0,80} to [a-z]+`,
  ].join('|'),
  'i',
);
const preposition = /\b(?:to|for|from|until|till|by|of|about|before|after|at)(?: the)? $/i;
const surelyPast =
  /\b(?:(?:was|were) (?:held )?|(?:went|came|left|met|saw|ate|ran|drove|flew|won|lost|fell|slept|spent|married|celebrated|visited|died|graduated|danced|played|travell?ed|arrived|returned|happened|enjoyed|watched|hiked)(?: [^\s,;]+){0,6} )(?:on )?(?:the )?$/i;
const surelyFuture = /(?:\b(?:will|won't|shall|going to|gonna)|['’]ll) (?:[\w'’]+ ){1,2}(?:on )?(?:the )?$/i;

const birth = /(?<!\bbe )\bborn(?: (?:in|at|near) \p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*)?,? (?:on )?(?:the )?$/u;
const birthday = /\bbirthday(?: is)?(?: on)? (?:the )?$/i;

interface Scope {
  readonly before: string;
  /** The clause around the date; the whole sentence where the clause has no tense. */
  readonly text: string;
  readonly tense: Tense;
  /** Its verb is in the present. */
  readonly isPresent: boolean;
}

/**
 * The day that "on May 5" means: the last or the next one by the tense of its sentence, and the closest one where that is
 * near or where the sentence has no tense. The year of a full date in the sentence counts before all that. Undefined for
 * births and birthdays, and where the sentence names another year.
 *
 * @param closest the occurrence closest to the day on which it was said
 */
export function dayOfMissingYear(closest: CalendarDay, { today, sentence }: Reference): CalendarDay | undefined {
  const { before, after } = sentence();
  if (birth.test(before)) return undefined;
  const clause = { before: lastClause(before), after: after.split(clauseEnd, 1)[0] ?? '' };
  const scope = scopeOf(clause, { before, after });
  const isOwnYear = namesYear(clause.before) || namesYear(clause.after);
  if (isOwnYear || (!isIndependent(scope) && (namesYear(before) || namesYear(after))))
    return dayInNamedYear(closest, `${before}\n${after}`, today);
  return dayByTense(closest, scope, today);
}

function lastClause(before: string): string {
  return before.split(clauseEnd).at(-1) ?? '';
}

function scopeOf(clause: Surroundings, sentence: Surroundings): Scope {
  const own = readScope(clause);
  return own.tense === undefined && !own.isPresent ? readScope(sentence) : own;
}

function readScope({ before, after }: Surroundings): Scope {
  const text = `${before}\n${after}`;
  return { before, text, tense: tenseOf(text), isPresent: present.test(before.replace(lastPast, '')) };
}

/** Whether its own verb tells when it is, so that a year elsewhere in the sentence does not. */
function isIndependent({ text, tense, isPresent }: Scope): boolean {
  return isPresent || tense === 'future' || arranged.test(text);
}

function namesYear(text: string): boolean {
  return yearNumber.test(text) || yearWords.test(text);
}

function dayInNamedYear(closest: CalendarDay, sentence: string, today: CalendarDay): CalendarDay | undefined {
  const [, day, name, otherName, otherDay, year] = fullDate.exec(sentence) ?? [];
  if (year !== undefined) {
    const full = { year: Number(year), month: readMonth(name ?? otherName ?? ''), day: Number(day ?? otherDay) };
    return closestTo(full, closest) ?? inYear(closest, full.year);
  }
  const [, named = /\bthis year\b/i.test(sentence) ? today.year : undefined] = yearNumber.exec(sentence) ?? [];
  return Number(named) === closest.year ? closest : undefined;
}

/** Around the turn of the year, a day belongs to the year next to it. */
function closestTo(full: CalendarDay, { month, day }: CalendarDay): CalendarDay | undefined {
  const years = [full.year - 1, full.year, full.year + 1];
  return years.flatMap((year) => inYear({ year, month, day }, year) ?? []).find((each) => isNear(each, full));
}

function isNear(left: CalendarDay, right: CalendarDay): boolean {
  return Math.abs(dayNumber(left) - dayNumber(right)) <= nearDays;
}

/** Undefined for 29 February in other years than leap years. */
function inYear({ month, day }: CalendarDay, year: number): CalendarDay | undefined {
  const own = { year, month, day };
  return isSameDay(addDays(own, 0), own) ? own : undefined;
}

function dayByTense(closest: CalendarDay, scope: Scope, today: CalendarDay): CalendarDay | undefined {
  const { before, tense } = scope;
  const recurring = everyYear((year) => {
    const day = inYear(closest, year);
    return day && daysFrom(day);
  });
  if (/\bsince (?:the )?$/i.test(before) && !/\bwill\b/i.test(before)) return lastBegun(recurring, today)?.from;
  if (isUndirected(scope)) return /\bbirthday is\b/i.test(before) && birthday.test(before) ? undefined : closest;
  if (tense === undefined) return birthday.test(before) ? undefined : closest;
  const isCertain = !preposition.test(before) && (tense === 'past' ? surelyPast : surelyFuture).test(before);
  return isCertain || !isNear(closest, today) ? directed(recurring, tense, today) : closest;
}

function isUndirected({ before, text, tense, isPresent }: Scope): boolean {
  if (arranged.test(text) || (isPresent && tense !== 'future')) return true;
  return /\bfor (?:the )?$/i.test(before) || (/\bto (?:the )?$/i.test(before) && !/\bfrom\b/i.test(before));
}

function directed(recurring: Recurring, tense: Tense, today: CalendarDay): CalendarDay | undefined {
  return (tense === 'past' ? lastBegun : nextUnfinished)(recurring, today)?.from;
}
