import type { SearchTrace } from '@mneme/contracts';
import type { Hit } from '../vectors/unit-vectors.ts';

/** Records how long the phases of one search take. */
export interface PhaseClock {
  time<T>(name: string, work: () => Promise<T>): Promise<T>;
  readonly phases: SearchTrace['phases'];
  elapsedSeconds(): number;
}

/** @param now monotonic milliseconds */
export function createPhaseClock(now: () => number): PhaseClock {
  const started = now();
  const phases: SearchTrace['phases'] = [];
  return {
    phases,
    time: async (name, work) => {
      const start = now();
      const result = await work();
      phases.push({ name, duration_seconds: (now() - start) / 1_000 });
      return result;
    },
    elapsedSeconds: () => (now() - started) / 1_000,
  };
}

/** What a search did, for the reply of a search with `trace: true`. */
export function searchTrace(options: {
  readonly query: string;
  readonly resultCount: number;
  readonly retrieval: Readonly<Record<string, readonly Hit[]>>;
  readonly fused: readonly Hit[];
  readonly pruned: readonly { id: string; reason: string }[];
  readonly clock: PhaseClock;
}): SearchTrace {
  const { query, resultCount, retrieval, fused, pruned, clock } = options;
  return {
    query,
    num_results: resultCount,
    time_seconds: clock.elapsedSeconds(),
    retrieval: Object.fromEntries(Object.entries(retrieval).map(([method, hits]) => [method, [...hits]])),
    entry_points: [...fused],
    visits: [...fused],
    pruned: [...pruned],
    reranked: fused.map(({ id, score }) => ({ id, score, parts: { fused: score } })),
    phases: clock.phases,
  };
}
