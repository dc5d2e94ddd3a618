/** Pairs of words that follow each other in a text, stop words left out. */
export interface WordPairs {
  /** For each word those that follow it. */
  readonly following: ReadonlyMap<number, ReadonlySet<number>>;
  readonly count: number;
}

/** @param terms as they follow each other */
export function wordPairsOf(terms: readonly number[]): WordPairs {
  const following = new Map<number, Set<number>>();
  let count = 0;
  for (const [first, second] of pairsIn(terms)) {
    const known = following.get(first) ?? new Set<number>();
    if (!known.has(second)) count += 1;
    following.set(first, known.add(second));
  }
  return { following, count };
}

/** Which share of some pairs a text has, 0 to 1; 0 if there are no pairs. */
export function shareOfPairs({ following, count }: WordPairs, terms: readonly number[]): number {
  if (count === 0) return 0;
  const found = wordPairsOf(terms).following;
  let shared = 0;
  for (const [first, seconds] of following) {
    const inText = found.get(first);
    if (inText) for (const second of seconds) if (inText.has(second)) shared += 1;
  }
  return shared / count;
}

/** A word that is said twice in a row is no pair. */
function* pairsIn(terms: readonly number[]): Generator<[number, number]> {
  let previous: number | undefined;
  for (const term of terms) {
    if (previous !== undefined && previous !== term) yield [previous, term];
    previous = term;
  }
}
