import { monthNames } from '../dates/date-words.ts';

const year = String.raw`\d{4}`;
const month = `(?:${monthNames.join('|')})`;
const season = `(?:spring|summer|autumn|fall|winter)`;
/** The notes that extraction writes behind relative dates; see `annotateDates`. */
const resolvedDate = new RegExp(
  String.raw` \((?:(?:(?:week|weekend) of )?(?:\d{1,2} )?${month} ${year}|${season} ${year}(?:–${year})?|${year})\)`,
  'g',
);

/**
 * The text of a fact as it is embedded: without the absolute dates behind its relative ones, as in `yesterday (7 May 2023)`.
 * Dates make texts similar that have nothing else in common; words and time windows find them.
 */
export function embeddedText({ text }: { readonly text: string }): string {
  return text.replace(resolvedDate, '');
}
