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
 * How many results a question gets: all if some passage has enough of its words or is similar in meaning, few or none if the
 * hits have only a word in common with it by chance. A rare name counts more than a word, and units within the time that the
 * question names answer questions such as "What happened yesterday?".
 */
export function resultLimit(candidates: readonly Activated[], { question, weights, settings }: FloorContext): number {
  if (settings.without.has('floor')) return Number.POSITIVE_INFINITY;
  if (candidates.some(({ similarity }) => similarity >= settings.denseAnswers)) return Number.POSITIVE_INFINITY;
  const best = bestOf(candidates, question);
  const step = hasEnough(best) ? undefined : resultSteps.find(({ below }) => best.passage < below);
  if (!step) return Number.POSITIVE_INFINITY;
  const inWindow = question.isAboutTime ? candidates.filter(({ activation }) => activation.window > 0).length : 0;
  const forName = holdsRareName(candidates, question, weights) ? resultsForName : 0;
  return Math.max(step.results, inWindow, forName);
}

interface BestShares {
  /** Whether some unit has enough of the words. */
  readonly hasUnit: boolean;
  readonly passage: number;
}

function bestOf(candidates: readonly Activated[], { terms }: Question): BestShares {
  const speakers = speakersOf(candidates);
  const content = terms.filter(({ id }) => !speakers.has(id));
  const needed = (unit: Activated) => {
    const isOneOfSeveral = content.length > 1 && content.filter(({ id }) => unit.terms.has(id)).length < 2;
    return isOneOfSeveral ? floorShares.unitOfOneWord : floorShares.unit;
  };
  let [hasUnit, passage] = [false, 0];
  for (const candidate of candidates) {
    const { match, passageMatch } = candidate.activation;
    hasUnit ||= match >= needed(candidate);
    passage = Math.max(passage, match, passageMatch);
  }
  return { hasUnit, passage };
}

function hasEnough({ hasUnit, passage }: BestShares): boolean {
  return passage >= floorShares.passage || (hasUnit && passage >= floorShares.passageOfUnit);
}

/** The terms of speakers' names, which are in each of their lines and therefore not significant. */
function speakersOf(candidates: readonly Activated[]): ReadonlySet<number> {
  return new Set(candidates.flatMap(({ speakerTerms }) => speakerTerms));
}

function holdsRareName(candidates: readonly Activated[], { nameTerms }: Question, weights: TermWeights): boolean {
  const highest = Math.max(0, ...[...weights.values()].map(({ idf }) => idf));
  const speakers = speakersOf(candidates);
  const rare = [...nameTerms].filter((id) => !speakers.has(id) && (weights.get(id)?.idf ?? 0) >= rareName * highest);
  return rare.some((id) => candidates.some(({ terms }) => terms.has(id)));
}
