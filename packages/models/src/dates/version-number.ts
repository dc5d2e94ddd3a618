import { type CalendarDay, isBefore } from './calendar.ts';
import { inFront } from './clause.ts';
import type { Reference } from './mentions.ts';

const software =
  '(?:apps?|application|client|database|driver|firmware|framework|kernel|library|package|plugin|program|server|software|system|tool)';
const withVersion = `(?:${software}|bugs?|fix(?:ed|es)?|versions?|us(?:e[sd]?|ing)|install(?:s|ed|ing)?|r[au]n(?:s|ning)?)`;
const between = '(?: (?:is|are|was|were|in|of|with|since|from|by|the|our|a|new|latest|old)){0,4}';
const adverb = '(?:already|also|finally|just|now|recently|then|have|has|had|will|must|should|can|could|would)';
const someVerb = '(?:is|are|was|were|be|been|being|gets?|got)';
/** In front of the number of a version: "We updated to", "The server was updated to", "Release" at the start, "The fix is in release" */
const naming = inFront(
  [
    String.raw`\b(?:I|we|you|he|she|they)(?:['’]ve)?(?: ${adverb}){0,3} (?:updat|upgrad)(?:ed|es?) to`,
    String.raw`\b${software}(?: (?:${adverb}|${someVerb})){0,4} (?:updat|upgrad)(?:ed|es?) to`,
    String.raw`^\W*(?:[\w ]{1,30}: )?releases?`,
    String.raw`\b${withVersion}${between} releases?`,
  ],
  ' $',
);
/** Also in front of a version that is still to come. */
const requesting = /\b(?:updat|upgrad)(?:e|ing) to $/i;

const release = /\breleases? $/i;
/** Behind the number: "Acme releases 12.11.2026 fixed the crash" */
const described = /^ (?:and (?:later|newer|older)|fix(?:ed|es)|add(?:ed|s)|breaks|broke|crash(?:ed|es))\b/i;

/**
 * Whether a number with full stops that looks like a day is that of a version, as in "We updated to 12.10.2023" and "Release
 * 12.10.2023 is slow". A day to come is none ("The server was updated to 13.12.2026"), except after "update to".
 */
export function isVersion(day: CalendarDay, { today, sentence }: Pick<Reference, 'today' | 'sentence'>): boolean {
  const { before, after } = sentence();
  if (requesting.test(before)) return true;
  const isNamed = naming.test(before) || (release.test(before) && described.test(after));
  return isNamed && !isBefore(today, day);
}
