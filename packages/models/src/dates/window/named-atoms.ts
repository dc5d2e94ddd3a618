import { readWeekday, weekday } from '../date-words.ts';
import { yearsFrom } from '../day-span.ts';
import type { PhraseRule } from '../find-mentions.ts';
import { everyHoliday, holiday } from '../holidays.ts';
import { everyWeek, everyYearInMonth } from '../recurring.ts';
import { everySeason, seasonSpan } from '../season.ts';
import type { Meant } from './term.ts';

const partOfDay = String.raw`(?! (?:morning|afternoon|evening|night)s\b)(?: (?:morning|afternoon|evening|night)\b)?`;
/** The last Friday of March is not every Friday. */
const notCounted = String.raw`(?!(?<=\b(?:first|second|third|fourth|fifth|last|final|\dst|\dnd|\drd|\dth) \w+) (?:of|in)\b)`;

/** So much in front of a weekday tells whether it is a subject. */
const longestBefore = 40;

/** Alone it is a date only at the end: "What did we eat Friday night?" */
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

/** A spring roll and a summer house are no times; "fall" is a verb unless it stands like a time. */
const season: PhraseRule<Meant> = {
  pattern:
    /(?<!\b(?:hot|box|coil|indian|nuclear) )\b(spring|summer|autumn|winter|(?<=\b(?:the|in|of|during|early|late|mid|since|until|by) |\bmid-)fall|fall(?=,? (?:19|20)\d{2}\b))\b(?![-'’]| (?:rolls?|water|onions?|break|boot|cleaning|mattress|chickens?|camps?|jobs?|house|homes?|olympics|games|coats?|jackets?|clothes|dress(?:es)?|school|programs?|internship|courses?|sale|tires?|tyres?|cottage|sports?|squash|solstice|equinox|out|over|down|off|apart|asleep|guys?)\b)/gi,
  read: ([, name = '']) => ({ kind: 'season', time: everySeason(name), isClear: false }),
};

/** "winter 2021–2022" is one winter. */
const winterOfYears: PhraseRule<Meant> = {
  pattern: /\bwinter (?:of )?((?:19|20)\d{2}) ?[-–/] ?(?:(?:19|20)?\d{2})\b/gi,
  read: ([, year]) => ({ kind: 'season', time: seasonSpan('winter', Number(year)), isClear: true }),
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

const quarter: PhraseRule<Meant> = {
  pattern: /\bQ([1-4])\b/g,
  read: ([, number]) => ({ kind: 'period', time: everyYearInMonth(3 * Number(number) - 2, 3), isClear: false }),
};

const decades = ['fifties', 'sixties', 'seventies', 'eighties', 'nineties'];

const decade: PhraseRule<Meant> = {
  pattern: new RegExp(
    String.raw`\bthe ((?:early|mid|late)[ -])?(?:((?:19|20)\d)0['’]?s|['’]?([5-9])0['’]?s|(${decades.join('|')}))(?!\w)`,
    'gi',
  ),
  read: ([, part, long, short, word]) => {
    const tens =
      long === undefined ? 190 + Number(short ?? decades.indexOf(word?.toLowerCase() ?? '') + 5) : Number(long);
    const [offset, count] = yearsOfPart(part?.slice(0, -1).toLowerCase());
    return { kind: 'period', time: yearsFrom(10 * tens + offset, count), isClear: true };
  },
};

function yearsOfPart(part: string | undefined): [number, number] {
  if (part === undefined) return [0, 10];
  return part === 'early' ? [0, 4] : part === 'mid' ? [3, 4] : [6, 4];
}

/** Times that have a name. */
export const namedAtoms: readonly PhraseRule<Meant>[] = [
  namedHoliday,
  namedWeekday,
  theWeekend,
  winterOfYears,
  season,
  quarter,
  decade,
];
