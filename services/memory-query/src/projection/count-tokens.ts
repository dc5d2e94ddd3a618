import type { MemoryEvent } from '@mneme/contracts';
import { createTimeSlice } from '@mneme/workers/time-slices';
import { tokensOf } from '../units/text.ts';

/**
 * Counts the tokens of the facts of some events. A page of words that the tokenizer has not seen takes milliseconds, and
 * events are applied in one go, so this is done before.
 * @returns the tokens by text
 */
export async function countTokens(events: readonly MemoryEvent[]): Promise<Map<string, number>> {
  const tokens = new Map<string, number>();
  const slice = createTimeSlice();
  for (const { type, data } of events) {
    for (const { text } of type === 'FactsExtracted' ? data.facts : []) {
      if (!tokens.has(text)) tokens.set(text, tokensOf(text));
      if (slice.isOver()) await slice.next();
    }
  }
  return tokens;
}
