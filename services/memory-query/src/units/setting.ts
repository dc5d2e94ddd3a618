import { hash } from 'node:crypto';
import type { RecordedFact } from '@mneme/contracts';
import type { Passage } from '../read-model/rows.ts';

/**
 * What facts depend on beside their own words, as hashes, in the order of the facts: the context of the item and, where a
 * fact names nothing itself ("Refund requested." after "Ticket 7 from Bolt."), its passage and its place there. Null for a
 * fact that depends on nothing else.
 * @param passages those of the facts, in the same order
 * @param contexts by the index of the item
 */
export function settingsOf(
  facts: readonly RecordedFact[],
  passages: readonly Passage[],
  contexts: Readonly<Record<string, string>>,
): readonly (string | null)[] {
  const hashOfContext = new Map(Object.entries(contexts).map(([item, context]) => [item, shortHash(context)]));
  let around: string | null = null;
  let start = 0;
  return facts.map(({ item, entities, text }, index) => {
    const { first, last, text: whole } = passages[index] ?? { first: index, last: index, text: null };
    if (index === 0 || first !== passages[index - 1]?.first) {
      around = first < last ? shortHash(whole ?? text) : null;
      start = index;
    }
    const context = hashOfContext.get(String(item));
    const place = around !== null && entities.length === 0 ? `${around} ${index - start}` : undefined;
    return context === undefined && place === undefined ? null : shortHash(`${context} ${place}`);
  });
}

function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}
