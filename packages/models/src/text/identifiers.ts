import { stopWords } from './word-lists.ts';

/** `asked`: a text has one of the identifiers; `other`: it has only others of the same form; `none`: it has neither. */
export type Identified = 'asked' | 'other' | 'none';

/** An identifier, by what stands before its number: "inv" of "INV-55", "order" of "order 7731", "#". */
interface Identifier {
  readonly form: string;
  readonly number: string;
}

/** Only the start of a longer text is read, in characters. */
const readLength = 4_000;
const mostIdentifiers = 8;

const start = String.raw`(?<![\p{L}\p{N}])`;
/** A number that is no time such as 10:45. */
const number = String.raw`(\d{1,20}(?:[-_/.]\d{1,20}){0,4})(?![\p{L}\p{N}]|:\d)`;
const things =
  'account|apartment|batch|booking|bug|build|bus|case|claim|client|contract|customer|device|employee|error|flight|gate|incident|invoice|issue|job|locker|lot|order|parcel|patient|platform|policy|request|reservation|room|shipment|table|task|ticket|train|tram';
const called = String.raw`s?(?: (?:no|nr|number|id)\.?)?`;
const isThing = new RegExp(`^(?:${things})$`);
const ofThing = new RegExp(`${start}(${things})${called}[ #:.-]{1,3}${number}`, 'giu');
const afterThing = new RegExp(`${start}(?:${things})${called} (\\p{L}{2,10})(?:-|(?=\\d))${number}`, 'giu');
const lettered = new RegExp(`${start}(\\p{L}{1,10})-?${number}`, 'giu');
const marked = new RegExp(`(#) ?${number}`, 'gu');
/** As a text may write what is asked for: "inv 55", "INV_55". */
const loosely = new RegExp(`${start}(\\p{L}{2,10})[-_/#:. ]{0,2}${number}`, 'giu');
/** A number of four digits or more that is no part of another one, no amount such as 1,205.50 and none of something: "7731 km". */
const numberAlone = /(?<![\p{L}\p{N}][-_/]?|\d[.,:]|\p{Sc} ?)\d{4,20}(?![\p{L}\p{N}]|[-_/.,:]\d| ?[\p{L}\p{Sc}%°])/gu;
const unitBefore = /(?<!\p{L})(?:eur|usd|gbp|chf|jpy|euros?|dollars?|pounds?|francs?|yen)[ .:]{0,2}$/iu;
const thingBefore = new RegExp(`${start}(${things})${called}[ #:.-]{1,3}$`, 'iu');
/** How much of a text is read before a number alone, in characters. */
const readBefore = 30;
/** Before the number of a day, a time, an amount or a place in a text. */
const noForm =
  /^(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|january|february|march|april|august|september|october|november|december|top|am|pm|page|chapter|eur|usd|gbp|chf|jpy|[vx])$/;
const year = /^(?:19|20)\d\d$/;
/** Shorter numbers identify nothing without the thing that they are of. */
const longNumber = /^\d{3}/;
/** "D-10115 Berlin" is a place. */
const placeAfter = /^ \p{Lu}\p{Ll}/u;
/** What has another number may answer a question with one of these: "Which came after INV-55?" */
const compares =
  /\b(?:after|before|since|until|above|below|than|besides|except|others?|another|next|previous|similar|instead|replace[sd]?|duplicates?|successor|predecessor)\b/i;
const ranges = /\b(?:between|from|through|to)\b|[–—]/i;

/**
 * Finds the identifiers that a question names: "SUP-1205", "#47000", "order 7731", "invoice INV-55".
 * @param question without the words that name a time
 * @returns tells whether a text has one of them, or another one in its place; undefined if the question names none
 */
export function identifiersOf(question: string): ((text: string) => Identified) | undefined {
  const beside = matchesOf(afterThing, question).filter(isNamed);
  const asked = distinct([...beside, ...identifiersIn(question)]);
  if (asked.length === 0) return undefined;
  const has = (told: Identifier) => asked.some((each) => each.form === told.form && isPartOf(each, told));
  const extendsTold = (told: Identifier) => asked.some((each) => each.form === told.form && isPartOf(told, each));
  const forms = new Set(asked.map(({ form }) => form));
  const shortForms = new Set(beside.map(({ form }) => form));
  const alone = asked.filter(standsAlone);
  const mayDiffer = compares.test(question) || (asked.length > 1 && ranges.test(question));
  return (text) => {
    const read = text.slice(0, readLength);
    if ([ofThing, lettered, loosely, marked].some((pattern) => matchesOf(pattern, read).some(has))) return 'asked';
    if (alone.length > 0 && hasAlone(read, alone, forms)) return 'asked';
    if (mayDiffer) return 'none';
    const short = matchesOf(lettered, read).filter((each) => isNamed(each) && shortForms.has(each.form));
    const told = [...short, ...identifiersIn(read)].filter(({ form }) => forms.has(form));
    return told.length === 0 || told.some(extendsTold) || hasNumber(read, asked) ? 'none' : 'other';
  };
}

function distinct(found: readonly Identifier[]): Identifier[] {
  const byKey = new Map(found.map((each) => [`${each.form} ${numberOf(each)}`, each]));
  return [...byKey.values()].slice(0, mostIdentifiers);
}

/** What identifies something wherever it stands. */
function identifiersIn(text: string): Found[] {
  const read = text.slice(0, readLength);
  const isLong = ({ number }: Found) => longNumber.test(number);
  return [
    ...matchesOf(ofThing, read).filter(({ number, after }) =>
      longNumber.test(number) ? !year.test(number) : !isCount(after),
    ),
    ...matchesOf(lettered, read).filter((each) => isNamed(each) && isLong(each) && !placeAfter.test(each.after)),
    ...matchesOf(marked, read).filter(isLong),
  ];
}

interface Found extends Identifier {
  /** What follows it. */
  readonly after: string;
}

function matchesOf(pattern: RegExp, text: string): Found[] {
  const read = text.slice(0, readLength);
  return [...read.matchAll(pattern)].map(({ 0: match, 1: form = '', 2: number = '', index }) => {
    const end = index + match.length;
    return { form: form.toLowerCase(), number, after: read.slice(end, end + readBefore) };
  });
}

function isNamed({ form, number }: Found): boolean {
  return !noForm.test(form) && !stopWords.has(form) && !isThing.test(form) && !year.test(number);
}

/** "Did Anna order 2 pizzas?" */
function isCount(after: string): boolean {
  const next = /^ (\p{L}{1,20})/u.exec(after)?.[1];
  return next !== undefined && !stopWords.has(next.toLowerCase());
}

function standsAlone({ form, number }: Identifier): boolean {
  return (form === '#' || isThing.test(form)) && !year.test(number);
}

/** Whether a text has one of the numbers without what it is of, and not as that of another thing. */
function hasAlone(text: string, asked: readonly Identifier[], forms: ReadonlySet<string>): boolean {
  return [...text.matchAll(numberAlone)].some(({ 0: number, index }) => {
    if (!asked.some((each) => each.number === number)) return false;
    const before = text.slice(Math.max(0, index - readBefore), index);
    const thing = thingBefore.exec(before)?.[1]?.toLowerCase();
    return !unitBefore.test(before) && (thing === undefined || forms.has(thing) || forms.has('#'));
  });
}

/** Whether a text has one of the numbers anywhere: "orders 7702 and 7731 are late". */
function hasNumber(text: string, asked: readonly Identifier[]): boolean {
  const told = new Set(text.match(/\d{3,20}/g));
  return asked.some(({ number }) => told.has(number));
}

/** Whether an identifier is the other one, or a whole part of its start: INV-55 of INV-055 and of INV-55/2024. */
function isPartOf(part: Identifier, whole: Identifier): boolean {
  return `${numberOf(whole)}-`.startsWith(`${numberOf(part)}-`);
}

/** `2024-7` of "2024/07". */
function numberOf({ number }: Identifier): string {
  return number.replaceAll(/[_/.]/g, '-').replaceAll(/(?<!\d)0+(?=\d)/g, '');
}
