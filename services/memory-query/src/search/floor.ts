import type { Activated } from './activation.ts';
import { resultSteps, type SearchSettings } from './search-settings.ts';

/**
 * How many results a question deserves: all of them when some unit has enough of its words or is close in meaning, few or
 * none when all that was found shares a word by chance.
 */
export function resultLimit(candidates: readonly Activated[], settings: SearchSettings): number {
  if (candidates.some(({ similarity }) => similarity >= settings.denseAnswers)) return Number.POSITIVE_INFINITY;
  const best = candidates.reduce((most, { activation }) => Math.max(most, activation.match), 0);
  return resultSteps.find(({ below }) => best < below)?.results ?? Number.POSITIVE_INFINITY;
}
