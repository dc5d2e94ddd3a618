import { ModelError } from './model-error.ts';

/** So many facts one batch may yield, and so one item too: what yields more is hardly text that somebody wrote. */
export const maxFacts = 20_000;

/** @param count how many facts would be too many */
export function tooManyFacts(count: number): ModelError {
  return new ModelError(
    'too-large',
    `The text yields more than ${count} facts, the most that one batch may have. Send it in several batches.`,
  );
}
