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
  const gaps: Range[] = [];
  let next = 0;
  for (const [first, last] of taken) {
    if (first > next) gaps.push([next, first - 1]);
    next = last + 1;
  }
  return intersect(from, [...gaps, [next, Number.MAX_SAFE_INTEGER]]);
}

/** How many sequences there are in a list. */
export function countOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [from, upTo]) => sum + upTo - from + 1, 0);
}

/** Each of them. */
export function sequencesOf(ranges: readonly Range[]): number[] {
  const sequences: number[] = [];
  for (const [from, upTo] of ranges) for (let each = from; each <= upTo; each += 1) sequences.push(each);
  return sequences;
}
