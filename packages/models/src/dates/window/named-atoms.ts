import { addDays, type CalendarDay, isBefore } from '../calendar.ts';
import { number, numberStart, readNumber, readWeekday, weekday } from '../date-words.ts';
import { daysFrom, yearsFrom } from '../day-span.ts';
import type { PhraseRule } from '../mentions.ts';
import { everyHoliday, everySeason, holiday, seasonSpan } from '../named-times.ts';
import { everyWeek, everyYearInMonth, type Recurring } from '../recurring.ts';
import { clear, type Meant } from './terms.ts';

const partOfDay = String.raw`(?! (?:morning|afternoon|evening|night)s\b)(?: (?:morning|afternoon|evening|night)\b)?`;
/** "the last Friday of March" is a part of March. */
const notCounted = String.raw`(?!(?<=\b(?:first|second|third|fourth|fifth|last|final|\dst|\dnd|\drd|\dth) \w+) (?:of|in)\b)`;

/** This much text before a weekday tells whether the weekday is a subject. */
const longestBefore = 40;

/** Without a preposition it is a date only at the end: "What did we eat Friday night?" */
const namedWeekday: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`(?<!\b(?:every|each|an?|any|most|black|cyber|ash|casual|fat) )\b(${weekday})\b(?!-)(['’]s\b)?${notCounted}${partOfDay}`,
    'gi',
  ),
  read: ({ 0: phrase, 1: name = '', 2: possessive, index, input }) => {
    const isLast = /^\s*(?:[?.!]|$)/.test(input.slice(index + phrase.length));
    const isSubject = /\b(?:is|was|be|of|than|or|and|the|love|like|hate|called|named|for|to|by|about)\s+$/i.test(
      input.slice(Math.max(0, index - longestBefore), index),
    );
    const isClear = possessive !== undefined || (isLast && !isSubject);
    return { kind: 'weekday', time: everyWeek(readWeekday(name)), isClear };
  },
};

const theWeekend: PhraseRule<Meant> = {
  pattern: /\bthe weekend\b(?!['’-]| (?:of|before|after|following|preceding)\b)/gi,
  read: () => ({ kind: 'weekend', time: everyWeek(5, 2), isClear: false }),
};

/** A spring roll and a summer house are no times, and "fall" is usually a verb. */
const season: PhraseRule<Meant> = {
  pattern:
    /(?<!\b(?:hot|box|coil|indian|nuclear) )\b(spring|summer|autumn|winter|(?<=\b(?:the|in|of|during|early|late|mid|since|until|by) |\bmid-)fall|fall(?=,? (?:19|20)\d{2}\b))\b(?![-'’]| (?:rolls?|water|onions?|break|boot|cleaning|mattress|chickens?|camps?|jobs?|house|homes?|olympics|games|coats?|jackets?|clothes|dress(?:es)?|school|programs?|internship|courses?|sale|tires?|tyres?|cottage|sports?|squash|solstice|equinox|out|over|down|off|apart|asleep|guys?)\b)/gi,
  read: ([, name = '']) => ({ kind: 'season', time: everySeason(name), isClear: false }),
};

/** "winter 2021–2022" is one winter. */
const winterOfYears: PhraseRule<Meant> = {
  pattern: /\bwinter (?:of )?((?:19|20)\d{2}) ?[-–/] ?(?:(?:19|20)?\d{2})\b/gi,
  read: ([, year]) => clear(seasonSpan('winter', Number(year)), 'season'),
};

const namedHoliday: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`\b(${holiday})\b(?!['’-]| (?:tree|part(?:y|ies)|presents?|gifts?|cards?|songs?|carols?|markets?|movies?|films?|eggs?|bunny|island|cakes?|cookies?|lights?|decorations?|resolutions?|turkey|costumes?|sales?)\b)${partOfDay}`,
    'gi',
  ),
  read: ([, name = '']) => {
    const time = everyHoliday(name);
    return time && { kind: 'holiday', time, isClear: false };
  },
};

/** "two Sundays ago", "five summers ago", "two Christmases ago" */
const timesAgo: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`${numberStart}(${number}) (?:(${weekday})|(spring|summer|autumn|fall|winter)|(${holiday}))(?:e?s)? ago\b`,
    'gi',
  ),
  read: ([, count = '', day, season, name = ''], { today }) => {
    const recurring = day ? everyWeek(readWeekday(day)) : season ? everySeason(season) : everyHoliday(name);
    return recurring && countedBack(recurring, readNumber(count), today);
  },
};

/** "the Tuesday before last", "the night before last" */
const beforeLast: PhraseRule<Meant> = {
  pattern: new RegExp(String.raw`\bthe (?:(${weekday})|night) before last\b`, 'gi'),
  read: ([, day], { today }) =>
    day ? countedBack(everyWeek(readWeekday(day)), 2, today) : clear(daysFrom(addDays(today, -2))),
};

function countedBack({ around }: Recurring, count: number, today: CalendarDay): Meant | undefined {
  const span = around(today)
    .filter(({ to }) => !isBefore(today, to))
    .at(-count);
  return span && clear(span);
}

const quarter: PhraseRule<Meant> = {
  pattern: /\bQ([1-4])\b/g,
  read: ([, number]) => ({ kind: 'period', time: everyYearInMonth(3 * Number(number) - 2, 3), isClear: false }),
};

const decades = ['fifties', 'sixties', 'seventies', 'eighties', 'nineties'];

/** "the 1990s", "the 90s", "the nineties"; the grammar takes "early" from it. */
const decade: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`(?:\bthe |(?<=\bthe (?:early|mid|late)[ -]))(?:((?:19|20)\d)0['’]?s|['’]?([5-9])0['’]?s|(${decades.join('|')}))(?!\w)`,
    'gi',
  ),
  read: ([, long, short, word = '']) => {
    const tens = Number(long ?? 190 + Number(short ?? decades.indexOf(word.toLowerCase()) + 5));
    return clear(yearsFrom(10 * tens, 10));
  },
};

/** Times that have a name. */
export const namedAtoms: readonly PhraseRule<Meant>[] = [
  timesAgo,
  beforeLast,
  namedHoliday,
  namedWeekday,
  theWeekend,
  winterOfYears,
  season,
  quarter,
  decade,
];
