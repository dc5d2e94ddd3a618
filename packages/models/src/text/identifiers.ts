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
const number = String.raw`(\d{1,20}(?:[-_/.]\d{1,20}){0,4})(?![\p{L}\p{N}])`;
const things =
  'account|apartment|batch|booking|bug|build|bus|case|claim|client|contract|customer|device|employee|error|flight|gate|incident|invoice|issue|job|locker|lot|order|parcel|patient|platform|policy|request|reservation|room|shipment|table|task|ticket|train|tram';
const called = String.raw`s?(?: (?:no|nr|number|id)\.?)?`;
const isThing = new RegExp(`^(?:${things})$`);
const marked = new RegExp(`(#) ?${number}`, 'gu');
/** In a question; "MP3" and "A4" are kinds of things. */
const askedForms = [
  new RegExp(`${start}(${things})${called} #?${number}`, 'giu'),
  new RegExp(`${start}(\\p{L}{1,10})(?:[-_/#:.]|(?=\\d\\d))${number}`, 'giu'),
  marked,
];
/** In a text, where they may be written in other ways: "inv 55", "A12". */
const toldForms = [
  new RegExp(`${start}(${things})${called}[ #:.-]{1,3}${number}`, 'giu'),
  new RegExp(`${start}(\\p{L}{2,10})[-_/#:. ]{0,2}${number}`, 'giu'),
  new RegExp(`${start}(\\p{L})[-_/#:.]?${number}`, 'giu'),
  marked,
];
/** A number of three digits or more that is no part of another one, or of an amount such as 1,205.50. */
const numberAlone = /(?<![\p{L}\p{N}]|\d[.,])\d{3,20}(?![\p{L}\p{N}]|[.,]\d)/gu;
/** Before the number of a day, a time, an amount or a place in a text. */
const noForm =
  /^(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|january|february|march|april|august|september|october|november|december|top|am|pm|page|chapter|eur|usd|gbp|chf|jpy|[vx])$/;
const year = /^(?:19|20)\d\d$/;
/** Shorter numbers identify nothing without what stands before them. */
const longNumber = /^\d{3}/;
/** What has another number may answer a question with one of these: "Which came after INV-55?" */
const compares =
  /\b(?:after|before|since|until|above|below|than|besides|except|others?|another|next|previous|similar|instead|replace[sd]?|duplicates?|successor|predecessor)\b/i;
const ranges = /\b(?:between|from|through|to)\b|[–—]/i;

/**
 * Finds the identifiers that a question names: "INV-55", "#47000", "order 7731".
 * @param question without the words that name a time
 * @returns tells whether a text has one of them, or another one in its place; undefined if the question names none
 */
export function identifiersOf(question: string): ((text: string) => Identified) | undefined {
  const asked = identifiersIn(question.slice(0, readLength));
  if (asked.length === 0) return undefined;
  const wanted = new Set(asked.map(keyOf));
  const wantedForms = new Set(asked.map(({ form }) => form));
  const wantedNumbers = new Set(asked.filter(standsAlone).map(({ number }) => number));
  const mayDiffer = compares.test(question) || (asked.length > 1 && ranges.test(question));
  return (text) => {
    const read = text.slice(0, readLength);
    const told = matchesOf(toldForms, read).filter(({ form }) => wantedForms.has(form));
    if (told.some((each) => wanted.has(keyOf(each)))) return 'asked';
    if (wantedNumbers.size > 0 && read.match(numberAlone)?.some((number) => wantedNumbers.has(number))) return 'asked';
    return mayDiffer || told.length === 0 ? 'none' : 'other';
  };
}

function identifiersIn(question: string): Identifier[] {
  return matchesOf(askedForms, question)
    .filter(({ form, number, end }) => {
      if (noForm.test(form) || stopWords.has(form)) return false;
      return !isThing.test(form) || (longNumber.test(number) ? !year.test(number) : !isCount(question.slice(end)));
    })
    .slice(0, mostIdentifiers);
}

function matchesOf(patterns: readonly RegExp[], text: string): (Identifier & { readonly end: number })[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: match, 1: form = '', 2: number = '', index }) => {
      return { form: form.toLowerCase(), number, end: index + match.length };
    }),
  );
}

/** "Did Anna order 2 pizzas?" */
function isCount(after: string): boolean {
  const next = /^ (\p{L}{1,20})/u.exec(after)?.[1];
  return next !== undefined && !stopWords.has(next.toLowerCase());
}

function standsAlone({ form, number }: Identifier): boolean {
  return longNumber.test(number) && (form === '#' || isThing.test(form));
}

/** `cve 2024-7` of "CVE-2024/7". */
function keyOf({ form, number }: Identifier): string {
  return `${form} ${number.replaceAll(/[_/.]/g, '-')}`;
}
