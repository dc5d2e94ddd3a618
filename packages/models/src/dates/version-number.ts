import { type CalendarDay, isBefore } from './calendar.ts';
import { inFront } from './clause.ts';
import type { Reference } from './mentions.ts';
import { details, event } from './rearranged.ts';

/** In front of the number of a version. A press release has a date. */
const naming = inFront(
  [String.raw`\b(?:updat|upgrad)(?:e|es|ed|ing) to`, String.raw`\b(?<!\b(?:press|news|media) )releases?`],
  ' $',
);
/** Also in front of a version that is still to come. */
const requesting = /\b(?:updat|upgrad)(?:e|ing) to $/i;
const someVerb = '(?:is|are|was|were|be|been|being|gets?|got|has|have|had|will|would|must|should|can|could|just|now)';
/** "The deadline was updated to" names its new day. */
const dating = inFront(
  [String.raw`\b${event}${details}(?: ${someVerb}){0,4} (?:updat|upgrad)(?:e|es|ed|ing) to`],
  ' $',
);

/**
 * Whether a number with full stops that looks like a day is that of a version, as in "We updated to 12.10.2023" and "Release
 * 12.10.2023 is slow". A day to come is none ("The film releases 13.12.2026"), except after "update to".
 */
export function isVersion(day: CalendarDay, { today, sentence }: Pick<Reference, 'today' | 'sentence'>): boolean {
  const { before } = sentence();
  if (!naming.test(before) || dating.test(before)) return false;
  return requesting.test(before) || !isBefore(today, day);
}
