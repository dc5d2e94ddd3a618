import { stopWords, wordSet } from '../text/word-lists.ts';
import { words } from '../text/words.ts';

/** What stands on either side of these cannot be exchanged: "better than", "from Rome to Berlin", "tea before lunch". */
const comparing = new Set(['over', 'than', 'to', 'before', 'after', 'from']);
const isPreferring = (word: string) => word.startsWith('prefer');
/** Tell how much better one is, not what is compared. */
const degrees = wordSet('better worse much far even still way bit lot slightly clearly');

/** A comparing word, and what it stands between. */
export interface Comparison {
  /** "To" only of a way: in a preference, it is "over". */
  readonly by: string;
  readonly before: ReadonlySet<string>;
  /** The words of `before` that follow the comparison in front of it. */
  readonly near: ReadonlySet<string>;
  readonly after: string;
  /** The words on both sides that tell what is compared. */
  readonly things: ReadonlySet<string>;
  /** 1 where what stands before is preferred or better, -1 where it is worse, 0 where it differs otherwise. */
  readonly rank: number;
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
  let near = new Set<string>();
  let compared = new Set<string>();
  let isPreferred = false;
  let by: string | undefined;
  let rank = 0;
  for (const [index, word] of spoken.entries()) {
    if (isComparing(word)) {
      by = word === 'to' && isPreference ? 'over' : word;
      rank = rankOf(by, isPreferred ? 'better' : spoken[index - 1]);
    }
    if (isPreferring(word)) {
      isPreferred = true;
      compared = new Set();
    }
    if (stopWords.has(word)) continue;
    if (by === undefined) {
      near.add(stem(word));
      if (!degrees.has(word) && !isPreferring(word)) compared.add(stem(word));
    } else {
      if (comparisons.length < mostComparisons) {
        const things = compared.union(new Set(phraseAt(spoken, index).map(stem)));
        comparisons.push({ by, before: new Set(before), near, after: stem(word), things, rank });
      }
      near = new Set();
      compared = new Set();
      isPreferred = false;
    }
    by = undefined;
    before.add(stem(word));
  }
  return comparisons;
}

/** The words from one on, up to the next stop word: "red wine" of "red wine in the evening". */
function phraseAt(spoken: readonly string[], start: number): readonly string[] {
  const end = spoken.findIndex((word, index) => index > start && stopWords.has(word));
  return spoken.slice(start, end < 0 ? undefined : end);
}

function rankOf(by: string, previous: string | undefined): number {
  if (by !== 'than' && by !== 'over') return 0;
  return previous === 'better' ? 1 : previous === 'worse' ? -1 : 0;
}

/** "Rome is better than Berlin" and "Berlin is better than Rome". */
export function isExchanged(one: Comparison, other: Comparison): boolean {
  return one.by === other.by && areCrossed(one, other);
}

/** "Rome is better than Berlin", and the same in a longer text. */
export function isRepeated(one: Comparison, other: Comparison): boolean {
  return one.by === other.by && one.after === other.after && one.near.size > 0 && one.near.isSubsetOf(other.near);
}

/**
 * Compares a preference ("trains over planes") with "better than" or "worse than".
 * @returns 1 if both put the same first, -1 if one puts first what the other puts last, and 0 for other comparisons
 */
export function rankedAlike(one: Comparison, other: Comparison): number {
  const ranks = one.by === other.by ? 0 : one.rank * other.rank;
  if (areCrossed(one, other)) return -ranks;
  return one.after === other.after && !one.near.isDisjointFrom(other.near) ? ranks : 0;
}

function areCrossed(one: Comparison, other: Comparison): boolean {
  return one.after !== other.after && other.before.has(one.after) && one.before.has(other.after);
}
