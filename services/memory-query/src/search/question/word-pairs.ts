/** Pairs of words that follow each other in a text, stop words left out: for each word those that follow it. */
export type WordPairs = ReadonlyMap<number, ReadonlySet<number>>;

/** @param terms as they follow each other; one that is said twice in a row is no pair */
export function wordPairsOf(terms: readonly number[]): WordPairs {
  const pairs = new Map<number, Set<number>>();
  for (const [index, term] of terms.entries()) {
    const next = terms[index + 1];
    if (next === undefined || next === term) continue;
    const following = pairs.get(term);
    if (following) following.add(next);
    else pairs.set(term, new Set([next]));
  }
  return pairs;
}

/** Which share of some pairs a text has, 0 to 1; 0 if there are no pairs. */
export function shareOfPairs(pairs: WordPairs, terms: readonly number[]): number {
  const shared = new Map<number, Set<number>>();
  let previous: number | undefined;
  for (const term of terms) {
    if (previous !== undefined && pairs.get(previous)?.has(term)) {
      const found = shared.get(previous);
      if (found) found.add(term);
      else shared.set(previous, new Set([term]));
    }
    previous = term;
  }
  return shared.size === 0 ? 0 : countOf(shared) / countOf(pairs);
}

function countOf(pairs: WordPairs): number {
  return pairs.values().reduce((sum, { size }) => sum + size, 0);
}
