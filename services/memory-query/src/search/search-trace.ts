import type { SearchResult, SearchTrace } from '@mneme/contracts';
import type { Hit, VectorHits } from '../vectors/vector-index.ts';
import { activationOf, type Candidate, type Visit } from './scoring/activation.ts';
import { type Ranked, towardsOne } from './scoring/rerank.ts';

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
  /** Everything that was found or reached, visited or not. */
  readonly activated: readonly Visit[];
  readonly visits: readonly Visit[];
  /** Which units are results although they have nothing in common with the question. */
  readonly keeps: (id: string) => boolean;
  /** The visits that found a unit, linked ones included. */
  readonly candidates: readonly Candidate[];
  /** Those that are good enough, best first. */
  readonly ranked: readonly Ranked[];
  /** How many of them the caller wants at most. */
  readonly wanted: number;
  readonly reranking: Reranking;
  readonly clock: PhaseClock;
  /** Drawn last, so that its time does not count. */
  readonly picture: () => NonNullable<SearchTrace['picture']>;
}

/** For the reply of a search with `trace: true`. */
export function searchTrace(course: SearchCourse): SearchTrace {
  const { query, results, hits, visits, candidates, ranked, reranking, clock } = course;
  return {
    query,
    num_results: results.length,
    time_seconds: clock.elapsedSeconds(),
    retrieval: {
      lexical: hits.words.map(scored),
      dense: hits.dense.map(scored),
      passages: hits.passages.map(scored),
      ...(hits.window.length > 0 ? { window: hits.window.map(scored) } : {}),
    },
    entry_points: visits
      .filter(({ by }) => by === 'entry')
      .map(({ id, activation }) => ({ id, score: towardsOne(activation.own + activation.passage) })),
    visits: candidates.map(({ id, by, activation }) => ({ id, score: towardsOne(activationOf(activation)), by })),
    pruned: prunedFrom(course),
    reranker: reranking,
    reranked: ranked.map(({ unit, score, parts }) => ({ id: unit._id, score, parts: { ...parts } })),
    phases: clock.phases,
    picture: course.picture(),
  };
}

const tooLittle = 'too little in common with the question';

function prunedFrom(course: SearchCourse): SearchTrace['pruned'] {
  const { activated, visits, keeps, candidates, ranked, wanted, results } = course;
  const isWanted = ({ id, activation }: Visit) => activationOf(activation) > 0 || keeps(id);
  const planned = new Set(visits.map(({ id }) => id));
  const read = new Set(candidates.map(({ id }) => id));
  const kept = new Set(ranked.map(({ unit }) => unit._id));
  const sent = new Set(results.map(({ id }) => id));
  const entries = activated.filter(({ by }) => by === 'entry');
  return [
    ...entries
      .filter(({ id }) => !planned.has(id))
      .map((visit) => ({ id: visit.id, reason: isWanted(visit) ? 'thinking_budget' : tooLittle })),
    ...entries
      .filter(({ id }) => planned.has(id) && !read.has(id))
      .map(({ id }) => ({ id, reason: 'not stored, or of another type' })),
    ...candidates.filter(({ id }) => !kept.has(id)).map(({ id }) => ({ id, reason: tooLittle })),
    ...ranked.flatMap(({ unit }, index) => {
      if (sent.has(unit._id)) return [];
      return [{ id: unit._id, reason: index < wanted ? 'max_tokens' : 'limit' }];
    }),
  ];
}

function scored({ id, score }: Hit): { id: string; score: number } {
  return { id, score };
}
