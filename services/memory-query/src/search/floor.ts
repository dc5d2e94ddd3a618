import type { Activated } from './activation.ts';
import type { Question } from './question.ts';
import { resultSteps, type SearchSettings } from './search-settings.ts';

/**
 * How many results a question deserves: all of them when some unit has enough of its words or is close in meaning, few or
 * none when all that was found shares a word by chance. What lies within the time that the question names is an answer to
 * questions such as "What happened yesterday?".
 */
export function resultLimit(candidates: readonly Activated[], question: Question, settings: SearchSettings): number {
  if (settings.without.has('floor')) return Number.POSITIVE_INFINITY;
  if (candidates.some(({ similarity }) => similarity >= settings.denseAnswers)) return Number.POSITIVE_INFINITY;
  const inWindow = question.isAboutTime ? candidates.filter(({ activation }) => activation.window > 0).length : 0;
  const best = candidates.reduce((most, { activation }) => Math.max(most, activation.match), 0);
  const step = resultSteps.find(({ below }) => best < below);
  return step ? Math.max(step.results, inWindow) : Number.POSITIVE_INFINITY;
}
