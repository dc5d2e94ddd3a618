import { inFront, scopeOf, someWord } from './clause.ts';
import { month } from './date-words.ts';
import type { Surroundings } from './mentions.ts';
import { hasPast, tenseOf } from './tense.ts';

const determiner = String.raw`(?:an?|the|my|our|his|her|their|another|[\w.-]{1,20}['’]s)`;
const things = '(?:appointments?|reservations?|bookings?|tickets?|slots?)';
const booking = '(?:(?:re)?(?:book|reserv|schedul)(?:ed|ing|e)?|postpon(?:ed|ing|e))';
const event =
  '(?:concert|show|gig|game|match|play|opera|ballet|musical|festival|exhibition|conference|premiere|performance|screening|circus|race|final)s?';
const ticketsFor = String.raw`tickets? (?:for|to) (?:the|an?) ${event}\b`;
const moving = '(?:moved|pushed|shifted|changed|delayed|extended)';

/** Tells when something was arranged, not when it is. */
const arranging = new RegExp(
  [
    String.raw`\b(?:[a-z]+ed|had|went|got|forgot) to (?=${booking}\b)`,
    String.raw`\b(?:(?:was|were|got|been) )?(?:rescheduled|rebooked|postponed|${moving})\b`,
    String.raw`\b(?:booked|reserved|scheduled|bought|ordered|got|made|confirmed)\b`,
  ].join('|'),
  'gi',
);

/** In front of the day for which something was booked, bought or moved. */
const bookedFor = inFront([
  String.raw`\b(?:${booking}|${moving}) [^\n]{0,120}?\b(?:for|to|until|till|from)`,
  String.raw`\b(?:${booking} [^\n]{0,80}?\bfor ${determiner}|(?:got|bought|ordered) [^\n]{0,40}?\b${ticketsFor})(?: ${someWord}){0,5} on`,
  String.raw`\b(?:got|made) [^\n]{0,40}?\b${things}(?: ${someWord}){0,5} (?:for|on|to)`,
]);

/** In front of the day of something that is to be done or attended. */
const dueOn = inFront([
  String.raw`^\W*(?:(?!(?:after|before|since|during|about|at|in|of|I|we|you|he|she|they|miss\w*)\b)${someWord} ){0,3}(?:deadlines?|due(?! to\b)|appointments?|registrations?|rsvp|${ticketsFor})\b[^\n]{0,80}?`,
  String.raw`\b(?:register|enroll?|sign up|apply|submit|reply|pay)\b[^\n]{0,60}? (?:by|until|before)`,
  String.raw`\bdue(?: date)?(?: on| by|:)?`,
]);

const leg = '(?:outbound|inbound|return(?:ing)?|depart(?:ure|ing)|check-?(?:in|out))(?: flight)?:?(?: on)?';
const booked = String.raw`\b(?:booked|reserved|(?:reservations?|bookings?)(?![.-]\w| (?:date|confirm\w+|made|received)\b))\b`;
/** In front of the last day of something, of a day of a journey, and of what follows a booking: "Reserved a table, December 5". */
const planned = inFront([
  '[a-z0-9] (?:until|till)',
  String.raw`\b(?:valid (?:from|through|to)|expir(?:y|ation)(?: date)?:?(?: on)?)`,
  String.raw`\b${leg}`,
  String.raw`(?:${booked} [^\n]{1,80}?|\b${leg} [^\n]{1,40}?)(?:,| \(| [–—-])(?: ${leg})?`,
  String.raw`${booked}[^\n]{0,60}? for`,
  String.raw`^\W*(?:flights?|trains?|ferry|bus) (?:to|from) [^\n,;:]{2,40}:`,
]);
/** In front of the last day of something that a sentence in the past goes on to describe: "I renewed my card, valid until December 5". */
const term =
  /^(?!.*\bhad\b)(?:.*[,;:(–—] ?)?(?:(?!(?:was|were)\b)[\w'’-]+ ){0,2}(?:valid|refundable|cancell?ation|warranty) (?:until|till|through|to)(?: the)? $/i;
/** "The invoice due March 1 is still open" */
const isLate = /\b(?:still|open|late|overdue|unpaid)\b|(?:\b(?:not|never)|n['’]t)\b[^\n]{0,20}\bpaid\b/i;
/** "In January I booked a table for February 5" */
const longAgo = new RegExp(
  String.raw`\b(?:${month}|[Ll]ast (?:month|year|spring|summer|autumn|fall|winter)\b|(?:months?|years?) (?:ago|earlier)\b|back then\b)`,
);

/**
 * What a sentence tells of a day that would be long ago, for which something is arranged: `future` for "I booked a table for
 * December 5" or "Registration deadline: December 5", `unknown` where what follows a booking is in the past, which may be about
 * that day. Undefined for other days, and where the sentence tells of the past: "The tickets for December 5 were expensive".
 */
export function arrangedMeaningOf(sentence: Surroundings): 'future' | 'unknown' | undefined {
  if (longAgo.test(sentence.before)) return undefined;
  if (endsTerm(sentence) || isPlanned(sentence)) return 'future';
  const { before, text } = scopeOf(sentence);
  if (!bookedFor.test(before)) return dueOn.test(before) && !isOver(sentence) ? 'future' : undefined;
  if (isPast(text)) return undefined;
  return isPast(sentence.after) ? 'unknown' : 'future';
}

/** Whether a day is the last one of what is valid, whatever the verb of its sentence tells. */
export function endsTerm({ before }: Surroundings): boolean {
  return term.test(before);
}

/** "Sales until December 5: 300" looks back. */
function isPlanned(sentence: Surroundings): boolean {
  return planned.test(sentence.before) && !/^ ?:/.test(sentence.after) && !tellsPast(sentence);
}

/** Whether it has a word in the past, other than those that tell when something was arranged. */
export function tellsPast({ before, after }: Surroundings): boolean {
  return hasPast(`${before}\n${after}`.replace(arranging, ' '));
}

function isOver({ before, after }: Surroundings): boolean {
  const text = `${before}\n${after}`;
  return hasPast(text) || isLate.test(text);
}

function isPast(text: string): boolean {
  return tenseOf(text.replace(arranging, ' ')) === 'past';
}
