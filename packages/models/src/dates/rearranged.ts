import { inFront } from './clause.ts';
import type { Surroundings } from './mentions.ts';

/** What has a date that can be changed. */
const event =
  '(?:appointment|audition|booking|breakfast|call|check-?up|class|concert|conference|course|date|day|deadline|delivery|demo|dentist|dinner|exam|flight|game|haircut|handover|hearing|interview|launch|lecture|lesson|lunch|match|meeting|opening|operation|party|presentation|quiz|race|rehearsal|release|reservation|review|seminar|session|shift|show|start|surgery|test|time|tour|train|training|trip|viewing|visit|wedding|workshop|birthday)s?';
const word = String.raw`(?!(?:after|and|as|at|because|before|but|by|during|for|from|he|I|in|into|near|of|on|out|she|since|so|that|they|to|until|we|when|while|who|with)\b)[\w.'’-]{1,20}`;
/** "the exam in maths" */
const details = String.raw`(?: (?:with|for|at|in|of)(?: [\w.'’-]{1,20}){1,3})?`;
const moved = '(?:(?:mov|chang|shift|push)(?:ed|ing)|br(?:ought|inging))';
const move = "(?:to|will|can|could|must|should|please|let['’]s) (?:move|change|shift|push|bring)";
const direction = '(?: (?:back|forward|up))?';

/**
 * In front of "from 3 to 5 June" where an event has another day. Neither "We moved from 3 to 5 June" nor "I moved my things",
 * which may tell how long that took.
 */
const rearranging = inFront(
  [
    String.raw`\b(?:postpon|reschedul)(?:e[sd]?|ing)(?: ${word}){0,4}${details}`,
    String.raw`\b(?:${moved}|${move})${direction} (?:it|this|that|(?:${word} ){0,3}${event}${details})${direction}`,
    String.raw`(?:^\W*|\b(?:is|are|was|were|been|being|be|gets?|got|${event}${details}(?: ha[sd])?) )(?:${moved}|moves?)${direction}`,
  ],
  ' $',
);

/** Whether "from 3 to 5 June" tells the old and the new day of something, as after "The exam was moved". */
export function isRearranged({ before }: Surroundings): boolean {
  return rearranging.test(before);
}
