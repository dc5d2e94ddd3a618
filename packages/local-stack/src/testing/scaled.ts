/**
 * `npm run test:faults` runs long tests at full length. By default they are short, on the same path; those of which another
 * test shows the essence in less time are left out (`test.runIf(atFullLength)`).
 */
export const atFullLength = process.env.MNEME_TEST_FAULTS === 'full';

/** How much a long test does: how many batches, rounds or bytes. */
export function scaled({ full, short }: { readonly full: number; readonly short: number }): number {
  return atFullLength ? full : short;
}

/** The cases of a long test: all of them, or the first one. */
export function casesOf<T>(cases: readonly [T, ...T[]]): readonly T[] {
  return atFullLength ? cases : cases.slice(0, 1);
}
