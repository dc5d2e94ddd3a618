import { agentKey } from '@mneme/contracts';
import type { EmbeddingModel } from '@mneme/models';
import type { Readable } from '../read-model/reads.ts';
import type { Hit, VectorHits } from '../vectors/vector-index.ts';
import { fuse } from './fusion.ts';
import type { Question } from './question.ts';
import type { Search } from './search-request.ts';
import type { SearchSettings } from './search-settings.ts';
import type { PhaseClock } from './search-trace.ts';

/** What was found by single methods, and all of it in one order. */
export interface Retrieval {
  readonly hits: VectorHits;
  readonly entries: readonly Hit[];
  /** Of the question. */
  readonly vector: readonly number[];
  /** How many units the agent has. */
  readonly unitCount: number;
}

export interface RetrieveDeps extends Pick<Readable, 'vectors' | 'removals'> {
  readonly embeddings: EmbeddingModel;
}

/** How many are asked for by meaning where the model sees words only; more would cost time and find nothing new. */
const fewDense = 20;
/** More entry points than this have no effect on what is found. */
const maxEntries = 1_000;

/** Asks the vector index by words, by meaning, and within the time that the question names. */
export async function retrieve(
  { vectors, embeddings, removals }: RetrieveDeps,
  request: Search,
  question: Question,
  settings: SearchSettings,
  clock: PhaseClock,
): Promise<Retrieval> {
  const [dense] = await clock.time('embed', () => embeddings.embed([request.query]));
  if (!dense) throw new Error('The embedding model gave no vector for the query');
  const vector = Array.from(dense);
  const lexicalLimit = Math.min(request.thinkingBudget, maxEntries);
  const query = {
    ...{ agentKey: agentKey(request), factTypes: request.factTypes, dense: vector, lexicalLimit, removals },
    denseLimit: settings.denseRank < 1 ? Math.min(fewDense, lexicalLimit) : lexicalLimit,
    lexical: { indices: question.terms.map(({ id }) => id), values: question.terms.map(({ count }) => count) },
    window: settings.without.has('window') ? undefined : question.window,
  };
  const [hits, unitCount] = await clock.time('retrieve', () =>
    Promise.all([vectors.search(query), vectors.count(query.agentKey)]),
  );
  const entries = fuse([
    { hits: hits.lexical, weight: 1 },
    { hits: hits.dense, weight: settings.denseRank },
    ...(query.window ? [{ hits: hits.window, weight: 0.5 }] : []),
  ]);
  return { hits, entries, vector, unitCount };
}
