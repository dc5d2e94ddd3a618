import type { OpinionRevision, RevisionInput } from '../reasoning-ports.ts';
import { isNegated, stopWords } from '../text/word-lists.ts';
import { createStemming, words } from '../text/words.ts';

const step = { raise: 0.05, lower: 0.1 };
const highest = 0.95;
const lowest = 0.05;
/** Share of the opinion's words that a fact must contain to affect it. */
const bearingShare = 0.5;
/** A fact without judging words affects an opinion only when it contains this share of its words. */
const sameShare = 0.75;

const beliefWords = new Set(
  'think thinks believe believes prefer feel feels doubt suspect reckon opinion view convinced really strongly maybe perhaps probably'.split(
    ' ',
  ),
);
const goodWords =
  'good great best better excellent safe reliable useful helpful easy fast cheap healthy happy honest beautiful right true success successful succeed work works love loves like likes enjoy enjoys win wins improve improved';
const badWords =
  'bad terrible worst worse poor unsafe dangerous unreliable useless hard difficult slow expensive unhealthy sad dishonest ugly wrong false failure failed fail fails broken hate hates dislike dislikes lose loses harm harmful';

/** Revises an opinion by shared words, judging words and negations. */
export function createRevision(): (input: RevisionInput) => OpinionRevision {
  const stem = createStemming();
  const stems = (text: string) => new Set(words(text).map(stem));
  const good = stems(goodWords);
  const bad = stems(badWords);

  function claimOf(text: string) {
    const all = words(text);
    const own = all.map(stem);
    const judged = own.filter((word) => good.has(word)).length - own.filter((word) => bad.has(word)).length;
    const isDenied = isNegated(text);
    const topic = new Set(all.filter((word) => !stopWords.has(word) && !beliefWords.has(word)).map(stem));
    return { topic, isDenied, side: Math.sign(judged) * (isDenied ? -1 : 1) };
  }

  function weigh(opinion: ReturnType<typeof claimOf>, fact: ReturnType<typeof claimOf>): number {
    const shared = opinion.topic.intersection(fact.topic).size / Math.max(1, opinion.topic.size);
    if (shared < bearingShare) return 0;
    if (opinion.side !== 0 && fact.side !== 0) return opinion.side === fact.side ? step.raise : -step.lower;
    if (shared < sameShare) return 0;
    return opinion.isDenied === fact.isDenied ? step.raise : -step.lower;
  }

  return ({ opinion, facts }) => {
    const claim = claimOf(opinion.text);
    const change = facts.reduce((sum, fact) => sum + weigh(claim, claimOf(fact)), 0);
    const confidence = changed(opinion.confidence, change);
    if (confidence === opinion.confidence) return { verdict: 'keep', ...opinion };
    return { verdict: confidence > opinion.confidence ? 'raise' : 'lower', text: opinion.text, confidence };
  };
}

/** Stays between `lowest` and `highest`; a confidence outside of them is not moved further. */
function changed(confidence: number, change: number): number {
  if (Math.abs(change) < 0.001) return confidence;
  const moved = Math.round((confidence + change) * 100) / 100;
  return change > 0 ? Math.max(confidence, Math.min(highest, moved)) : Math.min(confidence, Math.max(lowest, moved));
}
