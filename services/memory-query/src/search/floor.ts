import type { Activated } from './activation.ts';
import type { Question } from './question.ts';
import { floorShares, rareName, resultSteps, resultsForName, type SearchSettings } from './search-settings.ts';
import type { TermWeights } from './term-weights.ts';

export interface FloorContext {
  readonly question: Question;
  readonly weights: TermWeights;
  readonly settings: SearchSettings;
}

/**
 * How many results a question deserves: all of them when some passage has enough of its words or is close in meaning, few or
 * none when all that was found shares a word by chance. A rare name is more than a word, and what lies within the time that
 * the question names is an answer to questions such as "What happened yesterday?".
 */
export function resultLimit(candidates: readonly Activated[], { question, weights, settings }: FloorContext): number {
  if (settings.without.has('floor')) return Number.POSITIVE_INFINITY;
  if (candidates.some(({ similarity }) => similarity >= settings.denseAnswers)) return Number.POSITIVE_INFINITY;
  const best = bestOf(candidates);
  const step = hasEnough(best) ? undefined : resultSteps.find(({ below }) => best.passage < below);
  if (!step) return Number.POSITIVE_INFINITY;
  const inWindow = question.isAboutTime ? candidates.filter(({ activation }) => activation.window > 0).length : 0;
  const forName = holdsRareName(candidates, question, weights) ? resultsForName : 0;
  return Math.max(step.results, inWindow, forName);
}

interface BestShares {
  readonly unit: number;
  readonly passage: number;
}

function bestOf(candidates: readonly Activated[]): BestShares {
  let [unit, passage] = [0, 0];
  for (const { activation } of candidates) {
    unit = Math.max(unit, activation.match);
    passage = Math.max(passage, activation.match, activation.passageMatch);
  }
  return { unit, passage };
}

function hasEnough({ unit, passage }: BestShares): boolean {
  return passage >= floorShares.passage || (unit >= floorShares.unit && passage >= floorShares.passageOfUnit);
}

/** Names of those who speak are in every line of theirs, and tell nothing. */
function holdsRareName(candidates: readonly Activated[], { nameTerms }: Question, weights: TermWeights): boolean {
  const highest = Math.max(0, ...[...weights.values()].map(({ idf }) => idf));
  const speakers = new Set(candidates.flatMap(({ speakerTerms }) => speakerTerms));
  const rare = [...nameTerms].filter((id) => !speakers.has(id) && (weights.get(id)?.idf ?? 0) >= rareName * highest);
  return rare.some((id) => candidates.some(({ terms }) => terms.has(id)));
}
