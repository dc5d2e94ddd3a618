import { scopeOf } from './clause.ts';
import type { Surroundings } from './mentions.ts';
import { tenseOf } from './tense.ts';

const someWord = String.raw`[\w'’-]{1,20}`;
const determiner = String.raw`(?:an?|the|my|our|his|her|their|another|[\w.-]{1,20}['’]s)`;
const things = '(?:appointments?|reservations?|bookings?|tickets?|slots?)';
const booking = '(?:(?:re)?(?:book|reserv|schedul)(?:ed|ing|e)?|postpon(?:ed|ing|e))';
const moving = '(?:moved|pushed|shifted|changed|delayed|extended)';

/** Tells when something was arranged, not when it is. */
const arranging = new RegExp(
  [
    String.raw`\b(?:[a-z]+ed|had|went|got|forgot) to (?=${booking}\b)`,
    String.raw`\b(?:(?:was|were|got|been) )?(?:rescheduled|rebooked|postponed|${moving})\b`,
    String.raw`\b(?:booked|reserved|scheduled|bought|ordered|paid|got|made|gave)\b`,
  ].join('|'),
  'gi',
);

/** In front of the day for which something is arranged. */
const arrangedFor = new RegExp(
  [
    String.raw`\b(?:${booking}|${moving}) [^\n]{0,120}?\b(?:for|to|until|till|from)`,
    String.raw`\b(?:${booking} [^\n]{0,80}?\bfor ${determiner}|(?:got|bought|ordered) [^\n]{0,40}?\btickets? (?:for|to) (?![€$£\d])${someWord})(?: ${someWord}){0,5} on`,
    String.raw`\b(?:got|made|gave) [^\n]{0,40}?\b${things}(?: ${someWord}){0,5} (?:for|on|to)`,
    String.raw`^\W*(?:(?!(?:after|before|since|during|about|at|in|of|I|we|you|he|she|they|miss\w*)\b)${someWord} ){0,3}(?:deadlines?|due(?! to\b)|appointments?|registrations?|rsvp|tickets? (?:for|to))\b[^\n]{0,80}?`,
    String.raw`\b(?:register|enroll?|sign up|apply|submit|reply|pay)\b[^\n]{0,60}? (?:by|until|before)`,
    String.raw`\bdue(?: date)?(?: on| by|:)?`,
  ]
    .map((each) => `(?:${each})(?: the)? $`)
    .join('|'),
  'i',
);

/**
 * What a sentence tells of a day that would be long ago, for which something is arranged: `future` for "I booked a table for
 * December 5" or "Registration deadline: December 5", `unknown` where what follows is in the past, which may be about that day.
 * Undefined for other days, and where the own clause tells of the past: "The tickets for December 5 were expensive".
 */
export function arrangedMeaningOf(sentence: Surroundings): 'future' | 'unknown' | undefined {
  const { before, text } = scopeOf(sentence);
  if (!arrangedFor.test(before) || isPast(text)) return undefined;
  return isPast(sentence.after) ? 'unknown' : 'future';
}

function isPast(text: string): boolean {
  return tenseOf(text.replace(arranging, ' ')) === 'past';
}
