import type { FactType } from '../ports.ts';
import { replaceQuotes } from '../text/quotes.ts';
import type { Speaker } from './speaker.ts';

const quotes = { longest: 500, overLines: false };
/** This much text before an opinion tells whether it is only reported. */
const reportedReach = 80;
const reported = /\b(?:said|says|told|tells|wrote|writes|asked|asks|replied|replies|added|answered)\b[^.!?]{0,60}$/i;

const part = '(?:AI |virtual |digital )?(?:agent|assistant|chatbot|bot)';
/** Excludes the assistant manager and the travel agent. */
const theAgent = String.raw`\b(?:[Tt]he|[Tt]his|[Yy]our) ${part}\b(?! (?:manager|coach|professor|director|teacher|editor|principal|surgeon)\b|['’]s)`;
const adverbs = '(?:then |also |just |already |now |successfully |finally ){0,2}';
const done = String.raw`(?!(?:need|used|supposed)\b)(?:[a-z]{2,}ed|sent|found|made|wrote|gave|took|set|put|told|got|ran|built|bought|did|went|read|saw|held|kept|met|paid|sold|began|chose|drew|led|brought|spoke|forgot|learnt)\b`;
const hold = '(?:think|believe|prefer|feel (?:that|like)|doubt|suspect|reckon)';
const holds = '(?:thinks|believes|prefers|feels (?:that|like)|doubts|suspects|reckons)';
const notAsActivity = String.raw`\b(?! (?:about|of|so)\b)`;
const strength = "(?:really |still |strongly |firmly |personally |also |honestly |do |don['’]t |do not |would ){0,2}";

const agentHolds = new RegExp(String.raw`${theAgent},? (?:\w+ )?${holds}${notAsActivity}`);
const iHold = new RegExp(
  String.raw`\bI ${strength}${hold}${notAsActivity}|\bI(?:['’]m| am) (?:\w+ )?(?:convinced|of the opinion)\b|\b[Ii]n my (?:opinion|view)\b|\b[Mm]y (?:opinion|view|belief) is\b`,
);
const agentDid = new RegExp(String.raw`${theAgent},? (?:has |have |had )?${adverbs}${done}|\bby ${theAgent}`);
const iAsAgent = new RegExp(
  String.raw`\bI,? \(?(?:the|an|your) ${part}\b|\b[Aa]s (?:an?|the|your) (?:AI|${part})(?: \w+)?, I\b`,
);
const iDid = String.raw`\bI(?:['’]ve| have|['’]d| had)? ${adverbs}${done}`;
const iDidSomething = new RegExp(iDid);
const iDidForUser = new RegExp(String.raw`${iDid}[^.!?]{0,120}\b(?:the|my) (?:user|customer|client|caller)\b`);
/** What the agent says it does or will do; only in its own lines. */
const iOffer =
  /\bI (?:will|am going to|(?:would |['’]d )?(?:also |strongly |highly )?(?:recommend|suggest|advise|propose))\b|\bI['’](?:ll|m going to|d (?:also |strongly |highly )?(?:recommend|suggest|advise|propose))\b/;

/**
 * The type of a sentence: an experience of the agent (`agent`), an opinion of the agent (`opinion`), or anything else
 * (`world`). What persons say of themselves or believe is `world`. So is everything doubtful: a user's words must not
 * become the agent's own.
 */
export function factTypeOf(sentence: string, speaker: Speaker | undefined): FactType {
  if (speaker !== undefined && !speaker.isAgent) return 'world';
  const text = replaceQuotes(sentence, quotes, () => '""');
  if (agentHolds.test(text) || isOwnBelief(text)) return 'opinion';
  if (iAsAgent.test(text) || agentDid.test(text) || iDidForUser.test(text)) return 'agent';
  return speaker !== undefined && (iDidSomething.test(text) || iOffer.test(text)) ? 'agent' : 'world';
}

function isOwnBelief(text: string): boolean {
  const match = iHold.exec(text);
  return match !== null && !reported.test(text.slice(Math.max(0, match.index - reportedReach), match.index));
}
