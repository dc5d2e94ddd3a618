/** From one sequence up to another one, both included. Lists of them are in order, and no two of a list overlap. */
export type Range = readonly [from: number, upTo: number];

/** What is in both lists. */
export function intersect(one: readonly Range[], other: readonly Range[]): Range[] {
  const both: Range[] = [];
  for (let [i, j] = [0, 0]; ; ) {
    const [a, b] = [one[i], other[j]];
    if (!a || !b) return both;
    const [from, upTo] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
    if (from <= upTo) both.push([from, upTo]);
    if (a[1] < b[1]) i += 1;
    else j += 1;
  }
}

/** What is in the first list and not in the second. */
export function subtract(from: readonly Range[], taken: readonly Range[]): Range[] {
  const left: Range[] = [];
  let index = 0;
  for (const [first, last] of from) {
    let next = first;
    for (let cut = taken[index]; cut && cut[0] <= last; cut = taken[index]) {
      if (cut[0] > next) left.push([next, cut[0] - 1]);
      next = Math.max(next, cut[1] + 1);
      // It may reach into the next one as well.
      if (next > last) break;
      index += 1;
    }
    if (next <= last) left.push([next, last]);
  }
  return left;
}

/** How many sequences there are in a list, from one on. */
export function countOf(ranges: readonly Range[], since = 0): number {
  return ranges.reduce((sum, [from, upTo]) => sum + Math.max(0, upTo - Math.max(from, since) + 1), 0);
}

/** The first sequences of a list. */
export function firstOf(ranges: readonly Range[], atMost: number): number[] {
  const sequences: number[] = [];
  for (const [from, upTo] of ranges) {
    for (let each = from; each <= upTo && sequences.length < atMost; each += 1) sequences.push(each);
    if (sequences.length === atMost) break;
  }
  return sequences;
}
