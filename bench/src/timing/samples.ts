/** Durations of one kind of request. */
export interface Latency {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
}

/** @param durations in milliseconds, one at least, in any order */
export function latencyOf(durations: readonly number[]): Latency {
  const sorted = [...durations].sort((left, right) => left - right);
  const [p50Ms, p95Ms, p99Ms] = [quantile(sorted, 0.5), quantile(sorted, 0.95), quantile(sorted, 0.99)];
  return { p50Ms, p95Ms, p99Ms, requests: sorted.length };
}

/** @param values one at least, in any order */
export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((left, right) => left - right),
    0.5,
  );
}

/** The nearest rank: the smallest duration that at least this part of the requests did not exceed. */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

/**
 * Runs the contenders in turn, round after round, each first as often as the others, so that what else the machine does
 * falls on all of them alike.
 * @param contenders each does one request of the given round
 * @returns the latency of each, without the first rounds, in which connections open and code gets warm
 */
export async function race<Name extends string>(
  contenders: Readonly<Record<Name, (round: number) => Promise<void>>>,
  { rounds, warmUp }: { rounds: number; warmUp: number },
): Promise<Record<Name, Latency>> {
  const names = Object.keys(contenders) as Name[];
  const durations = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const startedAt = performance.now();
      await contenders[name](round);
      if (round >= warmUp) durations.get(name)?.push(performance.now() - startedAt);
    }
  }
  const latencies = [...durations].map(([name, values]) => [name, latencyOf(values)] as const);
  return Object.fromEntries(latencies) as Record<Name, Latency>;
}
