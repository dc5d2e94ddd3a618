import { stopWords } from '../text/word-lists.ts';
import { words } from '../text/words.ts';

/** What stands on either side of these cannot be exchanged: "better than", "from Rome to Berlin", "tea before lunch". */
const comparing = new Set(['over', 'than', 'to', 'before', 'after', 'from']);
const isPreferring = (word: string) => word.startsWith('prefer');

/** A comparing word, and what it stands between. */
export interface Comparison {
  /** "To" only of a way: in a preference, it is "over". */
  readonly by: string;
  readonly before: ReadonlySet<string>;
  readonly after: string;
}

const mostComparisons = 4;

/** The words of a text. In a preference, "trains over planes" and "trains to planes" are the same. */
export function comparedWords(text: string): string[] {
  const all = words(text);
  return all.some(isPreferring) ? all.map((word) => (word === 'over' ? 'to' : word)) : all;
}

/**
 * "To" compares only after "prefer" or "from".
 * @param spoken as `comparedWords` gives them
 */
export function comparisonsIn(spoken: readonly string[], stem: (word: string) => string): Comparison[] {
  const isPreference = spoken.some(isPreferring);
  const isToComparing = isPreference || spoken.includes('from');
  const isComparing = (word: string) => comparing.has(word) && (word !== 'to' || isToComparing);
  const comparisons: Comparison[] = [];
  const before = new Set<string>();
  let by: string | undefined;
  for (const word of spoken) {
    if (isComparing(word)) by = word === 'to' && isPreference ? 'over' : word;
    if (stopWords.has(word)) continue;
    if (by !== undefined && comparisons.length < mostComparisons)
      comparisons.push({ by, before: new Set(before), after: stem(word) });
    by = undefined;
    before.add(stem(word));
  }
  return comparisons;
}

/** "Rome is better than Berlin" and "Berlin is better than Rome". */
export function isExchanged(one: Comparison, other: Comparison): boolean {
  return one.by === other.by && one.after !== other.after && other.before.has(one.after) && one.before.has(other.after);
}
