import type { FactType } from '../ports.ts';
import { replaceQuotes } from '../text/quotes.ts';
import type { Speaker } from './speaker.ts';

const quotes = { longest: 500, overLines: false };
/** This much text before a belief or an experience tells whether it is one of the agent's own. */
const contextReach = 120;
const regular =
  'add|answer|argue|ask|assume|believe|claim|complain|denie|doubt|expect|explain|guess|hint|hope|imagine|implie|insist|mention|replie|suggest|suppose|suspect|warn';
const says = `(?:(?:${regular})(?:s|e?d)|says|said|tells|told|writes|wrote|thinks|thought|feels|felt|(?:you|they|people|others) (?:${regular}|say|tell|write|think|feel))`;
const itsClause = String.raw`(?:,? (?:(?!(?:and|but|so|then|because|since|while|when|after|before)\b|[-–—]+ )[^\s.!?,;:]+ ){0,4}|[^.!?]{0,60}\bthat )`;
const condition = '(?:if|unless|whether|once|until|in case|as soon as|suppose|imagine|assuming|provided)(?: that)? ';
const asking = "(?:do|does|did|have|has|had|will|would|shall|should|can|could|might|must)(?:n['’]t)? ";
/** Before a clause that is reported, supposed or asked. "I said" reports the agent's own words, "the claims" nothing. */
const notOwn = new RegExp(
  String.raw`(?<!\b(?:I(?:['’]ve| have)?|the|these|those|my|your|our|his|her|their) |\b(?:what|as|(?:the|those|these) \p{L}+) (?:you|he|she|we|they)(?:['’]ve)? )\b(?:${says}${itsClause}|${condition}|${asking})$`,
  'iu',
);
const accordingTo = /\b[Aa]ccording to (?:you|him|her|us|them)\b[^.!?,;'’]{0,40},? $/;
/** "I do not believe in it, she added." and "..., said the mayor." */
const saidAfter =
  /,["'”’]? (?:(?:he|she|they|(?:the \p{L}{1,30}|\p{Lu}[\p{L}.'’-]{1,30})(?: \p{Lu}[\p{L}.'’-]{1,30}){0,2}) (?:said|says|added|adds|explained|explains|told|wrote|writes|replied|answered|insisted|argued|claimed|continued|noted|admitted|recalled)(?: (?:me|us|him|her|them|reporters))?(?: (?:on|in|at|to|after|during) [^.!?,]{1,40})?|(?:said|says|explained|replied|wrote) (?:(?:he|she|they)|the \p{L}{1,30}|\p{Lu}[\p{L}.'’-]{1,30})(?: [\p{L}.'’-]{1,30}){0,2})[.!…]?["'”’]?\s*$/u;
/** "I asked Anna, she answered on Monday" tells of two persons, unlike "I sold it, she claimed" and "'I asked Anna', she answered". */
const answered =
  /\b(?:asked|called|contacted|emailed|informed|invited|messaged|notified|offered|phoned|reminded|sent|spoke|talked|texted|told|warned|wrote)\b[^.!?…]{0,120}(?<!["'”’“]), (?:he|she|they|the \p{L}{1,30}|\p{Lu}[\p{L}.'’-]{1,30})(?: \p{Lu}[\p{L}.'’-]{1,30}){0,2} (?:replied|answered|explained|said at (?:\d|noon|midnight))/u;
/** "As you asked, I booked a table" reports nothing. */
const openingClause = /\b(?:as|if|when|before|after|since|because|until|once|whatever|how) [^.!?,;]{1,80}, /gi;

const part = '(?:AI |virtual |digital )?(?:agent|assistant|chatbot|bot)';
/** Excludes the assistant manager and the travel agent. */
const theAgent = String.raw`\b(?:[Tt]he|[Tt]his|[Yy]our) ${part}\b(?! (?:manager|coach|professor|director|teacher|editor|principal|surgeon)\b|['’]s)`;
const adverbs = '(?:then |also |just |already |now |successfully |finally ){0,2}';
const done = String.raw`(?!(?:need|used|supposed)\b)(?:[a-z]{2,}ed|sent|found|made|wrote|gave|took|set|put|told|got|ran|built|bought|did|went|read|saw|held|kept|met|paid|sold|began|chose|drew|led|brought|spoke|forgot|learnt)\b`;
const hold = '(?:think|believe|prefer|feel (?:that|like)|doubt|suspect|reckon)';
const holds = '(?:thinks|believes|prefers|feels (?:that|like)|doubts|suspects|reckons)';
const notAsActivity = String.raw`\b(?! (?:about|of|so)\b)`;
const strength = "(?:really |still |strongly |firmly |personally |also |honestly |do |don['’]t |do not |would ){0,2}";

const agentHolds = new RegExp(String.raw`${theAgent},? (?:\w+ )?${holds}${notAsActivity}`, 'g');
const iHold = new RegExp(
  String.raw`\bI ${strength}${hold}${notAsActivity}|\bI(?:['’]m| am) (?:\w+ )?(?:convinced|of the opinion)\b|\b[Ii]n my (?:opinion|view)\b|\b[Mm]y (?:opinion|view|belief) is\b`,
  'g',
);
const agentDid = new RegExp(
  String.raw`${theAgent},? (?:has |have |had )?${adverbs}${done}|(?:\b${says} )?\bby ${theAgent}`,
  'g',
);
const iAsAgent = new RegExp(
  String.raw`\bI,? \(?(?:the|an|your) ${part}\b|\b[Aa]s (?:an?|the|your) (?:AI|${part})(?: \w+)?, I\b`,
  'g',
);
const iDid = String.raw`\bI(?:['’]ve| have|['’]d| had)? ${adverbs}${done}`;
const iDidSomething = new RegExp(iDid, 'g');
const iDidForUser = new RegExp(String.raw`${iDid}[^.!?]{0,120}\b(?:the|my) (?:user|customer|client|caller)\b`, 'g');
/** What the agent says it does or will do; only in its own lines. */
const iOffer =
  /\bI (?:will|am going to|(?:would |['’]d )?(?:also |strongly |highly )?(?:recommend|suggest|advise|propose))\b|\bI['’](?:ll|m going to|d (?:also |strongly |highly )?(?:recommend|suggest|advise|propose))\b/g;

/**
 * The type of a sentence: an experience of the agent (`agent`), an opinion of the agent (`opinion`), or anything else
 * (`world`). What persons say of themselves or believe is `world`. So is everything uncertain: a user's words must not
 * become the agent's own.
 */
export function factTypeOf(sentence: string, speaker: Speaker | undefined): FactType {
  if (speaker !== undefined && !speaker.isAgent) return 'world';
  const text = replaceQuotes(sentence, quotes, () => '""');
  const states = (pattern: RegExp) => text.matchAll(pattern).some(({ index }) => isOwn(text, index));
  const holds = states(agentHolds) || states(iHold);
  if (saidAfter.test(text.slice(-contextReach)) && (holds || !answered.test(text))) return 'world';
  if (holds) return 'opinion';
  if (states(iAsAgent) || states(agentDid) || states(iDidForUser)) return 'agent';
  return speaker !== undefined && (states(iDidSomething) || states(iOffer)) ? 'agent' : 'world';
}

function isOwn(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - contextReach), index).replace(openingClause, '');
  return !notOwn.test(before) && !accordingTo.test(before);
}

/** Whether a line is quoted, as in mails and Markdown, but not `> 5 people`; its sentences are not the agent's own. */
export function isQuotedLine(line: string): boolean {
  return /^\s*>(?! ?\d)/.test(line);
}
