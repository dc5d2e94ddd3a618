/** How many memories there are in each of some equally long periods. */
export interface Histogram {
  /** Milliseconds since 1970; the boundaries of the periods, one more than there are. */
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
}

const periods = 40;

/** @param times in milliseconds since 1970 @returns undefined if all are the same, so that there is nothing to choose */
export function histogramOf(times: readonly number[]): Histogram | undefined {
  const first = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const last = times.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY);
  if (!(last > first)) return undefined;
  const length = (last - first) / periods;
  const counts = Array.from({ length: periods }, () => 0);
  for (const time of times) {
    const period = Math.min(periods - 1, Math.floor((time - first) / length));
    counts[period] = (counts[period] ?? 0) + 1;
  }
  const bounds = Array.from({ length: periods + 1 }, (_, index) => (index === periods ? last : first + index * length));
  return { bounds, counts };
}

/** The nearest boundaries of a span of time. */
export function rangeIn({ bounds }: Histogram, since: string | undefined, until: string | undefined): [number, number] {
  const from = since === undefined ? 0 : nearest(bounds, Date.parse(since));
  const to = until === undefined ? bounds.length - 1 : nearest(bounds, Date.parse(until));
  return from < to ? [from, to] : [Math.min(from, bounds.length - 2), Math.min(from, bounds.length - 2) + 1];
}

function nearest(bounds: readonly number[], time: number): number {
  return bounds.reduce((best, bound, index) => {
    const found = bounds[best] ?? 0;
    return Math.abs(bound - time) < Math.abs(found - time) ? index : best;
  }, 0);
}
