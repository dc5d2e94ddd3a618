import type { SearchResult, SearchTrace } from '@mneme/contracts';
import type { Hit, VectorHits } from '../vectors/vector-index.ts';
import { type Activated, totalOf } from './activation.ts';
import type { Visit } from './candidates.ts';
import { type Ranked, towardsOne } from './rerank.ts';

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

/** Which reranker was requested, which one sorted the results, and why it is another one. */
export type Reranking = SearchTrace['reranker'];

/** The course of a search. */
export interface SearchCourse {
  readonly query: string;
  readonly results: readonly SearchResult[];
  readonly hits: VectorHits;
  readonly entries: readonly Hit[];
  readonly visits: readonly Visit[];
  readonly activated: readonly Activated[];
  readonly ranked: readonly Ranked[];
  readonly reranking: Reranking;
  readonly clock: PhaseClock;
}

/** For the reply of a search with `trace: true`. */
export function searchTrace(course: SearchCourse): SearchTrace {
  const { query, results, hits, entries, visits, activated, ranked, reranking, clock } = course;
  const planned = new Map(visits.map((visit) => [visit.id, visit]));
  return {
    query,
    num_results: results.length,
    time_seconds: clock.elapsedSeconds(),
    retrieval: {
      lexical: hits.lexical.map(scored),
      dense: hits.dense.map(scored),
      ...(hits.window.length > 0 ? { window: hits.window.map(scored) } : {}),
    },
    entry_points: entries.filter(({ id }) => planned.get(id)?.by === 'entry').map(scored),
    visits: activated.map(({ unit, activation }) => ({
      id: unit._id,
      score: towardsOne(totalOf(activation)),
      by: planned.get(unit._id)?.by ?? 'link',
    })),
    pruned: prunedFrom(course),
    reranker: reranking,
    reranked: ranked.map(({ unit, score, parts }) => ({ id: unit._id, score, parts: { ...parts } })),
    phases: clock.phases,
  };
}

function prunedFrom({ entries, visits, activated, ranked, results }: SearchCourse): SearchTrace['pruned'] {
  const planned = new Set(visits.map(({ id }) => id));
  const read = new Set(activated.map(({ unit }) => unit._id));
  const kept = new Set(ranked.map(({ unit }) => unit._id));
  const sent = new Set(results.map(({ id }) => id));
  return [
    ...entries.filter(({ id }) => !planned.has(id)).map(({ id }) => ({ id, reason: 'thinking_budget' })),
    ...visits
      .filter(({ id, by }) => by === 'entry' && !read.has(id))
      .map(({ id }) => ({ id, reason: 'not stored, or of another type' })),
    ...activated
      .filter(({ unit }) => !kept.has(unit._id))
      .map(({ unit }) => ({ id: unit._id, reason: 'too little in common with the question' })),
    ...ranked.filter(({ unit }) => !sent.has(unit._id)).map(({ unit }) => ({ id: unit._id, reason: 'max_tokens' })),
  ];
}

function scored({ id, score }: Hit): { id: string; score: number } {
  return { id, score };
}
