import { anyCase } from '../any-case.ts';
import type { CalendarDay } from './calendar.ts';
import { month, monthDay } from './date-words.ts';
import type { Surroundings } from './mentions.ts';
import { afterLastPast, beforeFirstPast, hasPast, type Tense, tenseOf } from './tense.ts';

/** The part of a sentence that tells when its date is. */
export interface Scope {
  readonly before: string;
  /** The clause around the date; the whole sentence where the clause has no tense. */
  readonly text: string;
  readonly tense: Tense;
  /** Its verb is in the present. */
  readonly isPresent: boolean;
}

const units =
  '(?:euros?|dollars?|pounds?|francs|yen|steps|people|persons|members|tickets|copies|pages|words|lines|items|units|pieces|books|photos|points|calories|kcal|miles|met(?:re|er)s|feet|km|m|kg|g|mg|ml|lit(?:re|er)s|hours|minutes|seconds|days|weeks|times|votes|others|rooms|jobs|[a-z]{3,}(?:ers|ors|ents|ants|ists|ees))';
const yearNumber = new RegExp(
  String.raw`(?:\b(?:${anyCase('in|of|until|till|by|from|during|before|after|early|mid|late|spring|summer|autumn|fall|winter|christmas')})|\b${month}|\b${monthDay}(?:st|nd|rd|th)?,?) ((?:1\d|20)\d\d)\b(?![.,]?\d| ?[€$£%-]| ${units}\b)`,
);
const yearWords =
  /\b(?:last|this|next|that|same|previous|following) year\b|\bthe year (?:before|after)\b|\byears? (?:ago|later|earlier|before|after|from now)\b/i;
/** "In 2019, we moved" tells the year of what follows. */
const leadingYear =
  /^\W{0,5}(?:(?:so|and|but|then|back) )?(?:(?:in|during|by|early|mid|late|last|next|that|this) ){0,3}(?:(?:1\d|20)\d\d|year),/i;

/** "May 10, 12 and 15, 2024" */
const listYear = new RegExp(String.raw`^(?:,? (?:(?:and|or|&) )?${monthDay}(?:st|nd|rd|th)?){1,10},? (?:1\d|20)\d\d\b`);

const clauseEnd = /[,;:–—](?! \d{4}\b)|\b(?:and|but|so|that|because|while|when|where|which)\b/i;
/** ", who is a nurse," has a verb of its own. */
const aside = /, (?:who|which|whose) [^,]{1,80},/g;
const present =
  /\b(?:is|are|am|isn't|aren't|can|must|should|comes?|takes? place|starts?|begins?|opens?|ends?|(?<!\bthe )leaves?|arrives?|expires?)\b|\b(?:it|he|she|that|there)['’]s\b|['’](?:re|m)\b/i;
const adverb = '(?:also|always|usually|often|still|never|only|just)';
/** More verbs in the present; of days of the month, the closest one is not meant beside them. */
const otherPresent = new RegExp(
  [
    present.source,
    String.raw`\b(?:have|has|['’]ve) (?:an?|the|to|my|our|his|her|their|another|no|two|three|some|tickets)\b|\b(?:would|needs|wants|gets)\b`,
    String.raw`\b(?:I|we|you|they) (?:${adverb} )?(?:do|don['’]t|need|want|meet|see|go|fly|move|work|play|visit|travel|get|return|finish|marry|celebrate|plan|hope|expect)\b`,
    String.raw`\b(?:he|she|it) (?:${adverb} )?(?!was\b|has\b)[a-z]{2,20}s\b`,
  ].join('|'),
  'i',
);
/** Nothing that could have a verb: the date is at the start of its clause. */
const noSubject = /^\W*(?:(?:then|maybe|perhaps|probably|on|early|late)\W+){0,2}$/i;

/** What is arranged is often still to come, and often is not. */
const arranged = new RegExp(
  [
    String.raw`\b(?:book(?:ed|ing)|schedul\w+|reschedul\w+|reserv\w+|postpon\w+|agree[ds]?|decid\w+|invit\w+|sign(?:ed|ing)? (?:\w+ )?up)\b`,
    String.raw`\b(?:tickets?|deadlines?|appointments?|due|arrang\w+|planned|register\w*|enroll?\w*|announc\w+|confirm\w+|remind\w*)\b`,
    String.raw`\b(?:told|asked|promised|offered|expected|supposed|wanted|hoped)\b[^,;]{0,80} to [a-z]+`,
    String.raw`\b(?:thought|thinking|wonder(?:ed|ing))\b[^,;]{0,80}(?: (?:could|might|would)|['’]d)\b`,
  ].join('|'),
  'i',
);
const rearranged = /\b(?:was|were|been|got) (?:moved|changed|pushed|shifted|set|fixed|extended|delayed)\b/i;
/** "My car was fixed on Friday" is over, "My flight was moved to 3 pm on Friday" may be to come. */
const rearrangedTo = new RegExp(`${rearranged.source} (?:to|for|from|until)\\b`, 'i');
/** "The deadline was on Friday", "I had an appointment on Friday", "I was invited to dinner on Friday" */
const surelyOver =
  /\b(?:(?:was|were) (?:held |due )?|(?:agreed|decided|announced|confirmed|registered|enroll?ed|signed up) (?:it |them )?)$|\bhad (?:an?|the|my|our|his|her|their) |\b(?:was|were) invited\b/i;

/** The clause that contains a date, or the whole sentence where the clause has no verb. */
export function scopeOf(sentence: Surroundings, verbs = present): Scope {
  const own = readScope(clauseOf(sentence), verbs);
  if (own.tense !== undefined || own.isPresent) return own;
  return readScope({ before: sentence.before.replace(aside, ' '), after: sentence.after.replace(aside, ' ') }, verbs);
}

function clauseOf({ before, after }: Surroundings): Surroundings {
  return { before: before.split(clauseEnd).at(-1) ?? '', after: after.split(clauseEnd, 1)[0] ?? '' };
}

function readScope({ before, after }: Surroundings, verbs: RegExp): Scope {
  const text = `${before}\n${after}`;
  const isPresent = verbs.test(afterLastPast(before)) || (noSubject.test(before) && verbs.test(beforeFirstPast(after)));
  return { before, text, tense: tenseOf(text), isPresent };
}

export const someWord = String.raw`[\w'’-]{1,20}`;
const noPreposition = String.raw`(?!(?:of|from|about|to|at|in|with|for|since)\b)`;
const has = String.raw`\b(?:have|has|['’]ve|['’]s)(?: got)?`;
const hasOne = `${has} (?:an?|another|my|our|his|her|their)(?: ${noPreposition}${someWord}){0,3}`;
const appointments =
  'appointments?|meetings?|interviews?|exams?|tests?|check-?ups?|surgery|operation|flights?|reservations?|tickets?|party|wedding|concerts?|dinner|lunch|deadlines?|conference|presentation|shift';
/** In front of a date: "The lease ends", "The concert is on", "I have an appointment on". Not "It is", which may be a day long ago. */
const scheduled = inFront([
  String.raw`(?<!\b(?:the|of) )\b(?:starts?|begins?|opens?|ends?|closes?|leaves?|departs?|arrives?|expires?|returns?|comes?|takes? place|runs out|fly|flies)(?! (?:up|with)\b)(?: ${someWord}){0,4}(?: on)?`,
  String.raw`\b(?:runs|lasts|(?:is|are) open)(?: ${someWord}){0,4} from`,
  String.raw`(?:\b(?:is|are|isn['’]t|aren['’]t)|['’]s)(?: (?:not|now|still|also|only|again)){0,2}(?: at [\w:]{1,8}(?: ?[ap]m)?)? on`,
  String.raw`(?<!\b(?:it|this|that|there|today|now|what|(?:today['’]s|the) date) )\b(?:is|are)`,
  `${has}(?: ${noPreposition}${someWord}){0,4} (?:${appointments})(?: ${someWord}){0,5}(?: on)?`,
]);
const appointment =
  '(?:appointment|interview|exam|check-?up|surgery|operation|flight|reservation|wedding|funeral|audition|hearing|viewing|deadline)';
/** In front of a weekday: what happens once. Not "My class is on Monday" and "The cleaner comes on Friday", which may be so every week. */
const scheduledOnce = inFront(
  [
    String.raw`${hasOne} (?:${appointment}|meeting)(?: (?:with|at|in|for)(?: [\w.'’-]{1,20}){1,4})?`,
    String.raw`\b(?:the|my|our|your|his|her|their|['’]s)(?: ${someWord}){0,3} ${appointment}(?: is|['’]s)`,
  ],
  ' on $',
);
/** In a sentence with "by Friday" */
const required = new RegExp(
  [
    String.raw`\b(?:please|must|(?:can|could) you|(?:have|has) to|needs? (?:to|it|this|that|them|an?|the|my|our|your))\b`,
    String.raw`\b(?:due|needed|required) $`,
  ].join('|'),
  'i',
);
const habitual =
  /\b(?:always|usually|often|sometimes|normally|typically|generally|regular(?:ly)?|every|each|weekly|daily|monthly|whenever)\b/i;
const supposed = /\b(?:if|when|unless)\b/i;

/** Whether a weekday in a sentence without a tense is the next one: "I have an exam on Friday", "please confirm by Friday". */
export function isNextWeekday({ before, after }: Surroundings, by: 'on' | 'by'): boolean {
  if (habitual.test(before) || habitual.test(after) || supposed.test(before)) return false;
  return by === 'on' ? scheduledOnce.test(`${before}on `) : required.test(before) || required.test(after);
}

const occasion = `(?:${appointment}|meeting|test|party|concert|conference|presentation|trip|race|marathon|recital|tournament|performance)`;
/** In front of "in two weeks": "My exam is", "I have an exam", "The lease ends", and "Next exam" at the start. */
const ahead = inFront(
  [
    String.raw`(?:\b(?:is|are)|['’]s)(?: (?:now|already|only|just))?`,
    String.raw`${hasOne} ${occasion}(?: (?:with|at|for)(?: [\w.'’-]{1,20}){1,4})?`,
    String.raw`\b(?:(?:I|we|you|they|he|she|it)|(?:the|my|our|your|his|her|their|this|\w['’]s)(?: ${someWord}){1,3}) (?:ends?|leaves?|arrives?|returns?|runs out|fl(?:y|ies))(?: (?:to|for|from|back to) ${someWord})?`,
    String.raw`^\W*(?:next(?: ${someWord}){1,4}|follow-?up(?: ${someWord}){0,2}|${occasion}s?)`,
  ],
  ' $',
);
/** "in two weeks" is all of the time: not "in a week long course". */
const afterTime = /^(?:\s*$|[.!?,;:)]|\s[–—-]\s|\s(?:and|but|so|at|with|to|when|because)\b)/;
const reported =
  /\b(?:said|says|told|tells|mentioned|wrote|writes|thought|heard|announced|claimed|dream(?:s|t|ed)?|imagine[ds]?)\b/i;
/** "Payment is in 14 days" is a term, which begins some other day. */
const term = /\b(?:payments?|delivery|deliveries|shipping|trial)\b/i;
const someYear = /\b(?:1\d|20)\d\d\b/;

/** Whether "in two weeks" tells how far ahead something is, as in "My exam is in two weeks", and not how long it takes. */
export function isAhead(sentence: Surroundings): boolean {
  const whole = `${sentence.before}\n${sentence.after}`;
  if (habitual.test(whole) || supposed.test(sentence.before) || reported.test(whole)) return false;
  const { before } = clauseOf(sentence);
  if (term.test(before) || someYear.test(whole) || yearWords.test(whole)) return false;
  return ahead.test(before) && afterTime.test(sentence.after) && !hasPast(before);
}

/** "December 10: we are in Rome" */
const heading = /^\W*\n[*_ ]*[:–—\])-]/;

/**
 * What the words in the present tell of a day that would be long ago: `future` for what is scheduled, or for what the
 * sentence expects; `unknown` for other verbs in the present, except after a date as a heading.
 */
export function presentMeaningOf(sentence: Surroundings): 'future' | 'unknown' | undefined {
  const { before, text, tense, isPresent } = scopeOf(sentence, otherPresent);
  const inPresent = afterLastPast(before);
  if (tense === 'future' || tenseOf(inPresent) === 'future' || scheduled.test(inPresent)) return 'future';
  return isPresent && !heading.test(text) ? 'unknown' : undefined;
}

/** Whether it is about something arranged, of which a word in the past does not tell the time. */
export function isArranged({ text }: Scope): boolean {
  return arranged.test(text) || rearranged.test(text);
}

/** Where a weekday or a month lies by the verb of its clause; undefined where that does not tell. */
export function directionOf(sentence: Surroundings): Tense {
  const scope = scopeOf(sentence, otherPresent);
  if (scope.tense !== 'past') return scope.tense;
  if (scope.isPresent) return undefined;
  const isOpen = arranged.test(scope.text) || rearrangedTo.test(scope.text);
  return isOpen && !surelyOver.test(scope.before) ? undefined : 'past';
}

/** Whether a sentence names the year of a date elsewhere than in the date: "In 2019, I moved in March". */
export function hasYear(sentence: Surroundings): boolean {
  const { before, after } = clauseOf(sentence);
  if (namesYear(before) || namesYear(after)) return true;
  if (leadingYear.test(sentence.before) || listYear.test(sentence.after)) return true;
  return !isIndependent(scopeOf(sentence)) && (namesYear(sentence.before) || namesYear(sentence.after));
}

/** Whether its own verb tells when it is, so that a year elsewhere in the sentence does not. */
function isIndependent(scope: Scope): boolean {
  return scope.isPresent || scope.tense === 'future' || isArranged(scope);
}

function namesYear(text: string): boolean {
  return yearNumber.test(text) || yearWords.test(text);
}

/** Whether another year stands in front of a date in its clause: "In 2019 we met on Friday". */
export function followsOtherYear({ before, after }: Surroundings, { year }: CalendarDay): boolean {
  const lead = leadingYear.exec(before)?.[0] ?? '';
  const named = yearNumber.exec(`${lead}\n${clauseOf({ before, after }).before}`)?.[1];
  return named !== undefined && Number(named) !== year;
}

/** Any of the sources directly in front of a date. */
export function inFront(sources: readonly string[], end = '(?: the)? $'): RegExp {
  return new RegExp(sources.map((each) => `(?:${each})${end}`).join('|'), 'i');
}

/** The year that a sentence names, this one by words too. */
export function readYear(sentence: string, { year }: CalendarDay): number | undefined {
  const named = yearNumber.exec(sentence)?.[1];
  if (named !== undefined) return Number(named);
  return /\bthis year\b/i.test(sentence) ? year : undefined;
}
