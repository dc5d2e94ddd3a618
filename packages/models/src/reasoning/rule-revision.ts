import type { OpinionRevision, RevisionInput } from '../reasoning-ports.ts';
import { isNegated, stopWords, wordSet } from '../text/word-lists.ts';
import { createStemming, words } from '../text/words.ts';
import { type Comparison, comparedWords, comparisonsIn, isExchanged, isRepeated, rankedAlike } from './comparisons.ts';

const step = { raise: 0.05, lower: 0.1 };
const highest = 0.95;
const lowest = 0.05;
/** Share of the opinion's words that a fact must contain to affect it. */
const bearingShare = 0.5;
/** A fact without judging words affects an opinion only when it contains this share of its words. */
const sameShare = 0.75;

const beliefWords = new Set(
  'think thinks believe believes prefer prefers feel feels doubt doubts doubted doubtful unconvinced suspect reckon opinion view convinced really strongly maybe perhaps probably'.split(
    ' ',
  ),
);
const goodWords =
  'good great best better excellent safe reliable useful helpful easy fast cheap healthy happy honest beautiful right true success successful succeed work works love loves like likes enjoy enjoys win wins improve improved';
const badWords =
  'bad terrible worst worse poor unsafe dangerous unreliable useless hard difficult slow expensive unhealthy sad dishonest ugly wrong false failure failed fail fails broken hate hates dislike dislikes lose loses harm harmful';

/** Judging words that are often what a claim is about: "remote work". */
const topics = new Set(['work', 'love', 'success']);

/** "I doubt that it works" denies it, and "I have no doubt" does not. */
const doubts = /\b(?:doubt(?:s|ed|ful)?|unconvinced)\b/i;
/** "Beyond doubt" is no doubt, though it has no negation as "no doubt" has. */
const certainties =
  /\b(?:beyond (?:(?:a|an|any|all|every|reasonable|shadow|of) ){0,5}doubts?|(?:little|barely|scarcely|few)(?: people)?(?: (?:room|reason|cause) (?:for|to))? doubt(?:s|ed)?)\b/gi;
/** "It does" and "he was wrong" answer a doubt. */
const shortAnswer =
  /^\s(?:it|he|she|they|that|this) (?:do|does|did|is|are|was|were|has|have|had|will|can|could|would)(?: not|n['’]t| wrong)?\W*$/i;
const pronouns = new Set(['it', 'he', 'she', 'they', 'this', 'that']);
const auxiliaries = wordSet('is are was were will would can could should do does did has have had');
const ways: ReadonlySet<string> = new Set(['from', 'to']);
/** Asking is no evidence. */
const endsAsQuestion = (fact: string) => /\?["'”’»)\]\s]{0,9}$/.test(fact);

const isTelling = (word: string) => !stopWords.has(word) && !beliefWords.has(word);

interface Claim {
  /** The stems of the words that tell what it is about. */
  readonly topic: ReadonlySet<string>;
  readonly judging: readonly string[];
  readonly isDenied: boolean;
  /** "Ben doubted that it works, but it works." */
  readonly isAnswered: boolean;
  readonly comparisons: readonly Comparison[];
}

/** Revises an opinion by shared words, judging words and negations; dates make no difference. */
export function createRevision(): (input: RevisionInput) => OpinionRevision {
  const stem = createStemming();
  const stems = (text: string) => new Set(words(text).map(stem));
  const good = stems(goodWords);
  const bad = stems(badWords);

  function claimOf(text: string): Claim {
    const all = comparedWords(text);
    const judging = all.filter((word) => good.has(stem(word)) || bad.has(stem(word)));
    const topic = new Set(all.filter(isTelling).map(stem));
    const doubt = doubts.exec(text.replace(certainties, ''));
    const comparisons = comparisonsIn(all, stem).map((one) => ({
      ...one,
      near: one.near.intersection(topic),
      things: one.things.intersection(topic),
    }));
    const isDenied = isNegated(text) !== (doubt !== null);
    return { topic, judging, isDenied, isAnswered: doubt !== null && isAnswered(text), comparisons };
  }

  /** Whether what follows ", but" says of the same, or of "it", what is doubted before it, or answers it in short. */
  function isAnswered(text: string): boolean {
    const [before = '', ...after] = text.split(/, (?:but|yet)\b/i);
    const answer = after.join('');
    if (!doubts.test(before)) return false;
    if (shortAnswer.test(answer)) return true;
    const doubted = words(before.slice(before.search(doubts)));
    const predicate = predicateOf(doubted);
    const subjects = new Set(doubted.filter((word) => isTelling(word) && word !== predicate).map(stem));
    const said = words(answer);
    const isSame = said.some((word) => pronouns.has(word) || subjects.has(stem(word)));
    return predicate !== undefined && isSame && said.some((word) => stem(word) === stem(predicate));
  }

  /** What a clause says of its subject: "good" of "the new school is good", "moved" of "Anna moved to Rome". */
  function predicateOf(clause: readonly string[]): string | undefined {
    const judging = clause.filter((word) => good.has(stem(word)) || bad.has(stem(word)));
    if (judging.length > 0) return judging.findLast((word) => !topics.has(word)) ?? judging.at(-1);
    const start = clause.findIndex(isTelling);
    const end = clause.findIndex((word, index) => index > start && !isTelling(word));
    if (end < 0) return clause.at(-1);
    return auxiliaries.has(clause[end] ?? '') ? clause.slice(end).find(isTelling) : clause[end - 1];
  }

  /** 1 for good, -1 for bad, 0 for neither. What both claims have in common judges only where not both judge by more. */
  function sideOf(claim: Claim, other: Claim): number {
    const own = ownJudging(claim, other);
    const isByMore = own.length > 0 && ownJudging(other, claim).length > 0 && claim.isDenied === other.isDenied;
    const counted = isByMore ? own : claim.judging.filter((word) => !topics.has(word) || own.includes(word));
    const judged = counted.reduce((sum, word) => sum + (good.has(stem(word)) ? 1 : -1), 0);
    return Math.sign(judged) * (claim.isDenied ? -1 : 1);
  }

  function ownJudging(claim: Claim, other: Claim): string[] {
    return claim.judging.filter((word) => !other.topic.has(stem(word)));
  }

  function weigh(opinion: Claim, fact: Claim): number {
    const shared = opinion.topic.intersection(fact.topic).size / Math.max(1, opinion.topic.size);
    if (shared < bearingShare) return 0;
    if (opinion.isAnswered || fact.isAnswered) return 0;
    const ranks = opinion.comparisons
      .flatMap((one) => fact.comparisons.map((other) => ({ ...one, rank: rankedAlike(one, other) })))
      .filter(({ rank }) => rank !== 0);
    if (ranks.length > 0) {
      // "White wine is worse than beer" says nothing of red wine.
      const rank = ranks.find(({ things }) => things.isSubsetOf(fact.topic))?.rank ?? 0;
      return weightOf(opinion.isDenied === fact.isDenied ? rank : -rank);
    }
    const reversed = opinion.comparisons.filter((one) => fact.comparisons.some((other) => isExchanged(one, other)));
    const exchanged = reversed.find((one) => !fact.comparisons.some((other) => isRepeated(one, other)));
    // Which of two comparisons is denied is unknown.
    if (exchanged === undefined && reversed.length > 0 && opinion.isDenied !== fact.isDenied) return 0;
    // The way from Berlin to Rome is another one, while Berlin cannot be better than Rome if Rome is better than Berlin.
    if (exchanged !== undefined && ways.has(exchanged.by)) return 0;
    const order = exchanged === undefined ? 1 : -1;
    const sides = sideOf(opinion, fact) * sideOf(fact, opinion) * order;
    if (sides !== 0) return weightOf(sides);
    if (shared < sameShare) return 0;
    return weightOf(opinion.isDenied === fact.isDenied ? order : -order);
  }

  return ({ opinion, facts }) => {
    const claim = claimOf(opinion.text);
    const evidence = facts.filter((fact) => !endsAsQuestion(fact.text));
    const change = evidence.reduce((sum, fact) => sum + weigh(claim, claimOf(fact.text)), 0);
    const confidence = changed(opinion.confidence, change);
    if (confidence === opinion.confidence) return { verdict: 'keep', ...opinion };
    return { verdict: confidence > opinion.confidence ? 'raise' : 'lower', text: opinion.text, confidence };
  };
}

function weightOf(side: number): number {
  if (side === 0) return 0;
  return side > 0 ? step.raise : -step.lower;
}

/** Stays between `lowest` and `highest`; a confidence outside of them is not moved further. */
function changed(confidence: number, change: number): number {
  if (Math.abs(change) < 0.001) return confidence;
  const moved = Math.round((confidence + change) * 100) / 100;
  return change > 0 ? Math.max(confidence, Math.min(highest, moved)) : Math.min(confidence, Math.max(lowest, moved));
}
