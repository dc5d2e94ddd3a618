import { agentKey, type FactType, type SearchReply } from '@mneme/contracts';
import type { EmbeddingModel, LexicalEncoder } from '@mneme/models';
import type { MemoryCollections, Unit } from '../read-model/collections.ts';
import { timestamp } from '../read-model/timestamp.ts';
import { entityText } from '../units/entity-text.ts';
import type { Hit, VectorIndex } from '../vectors/unit-vectors.ts';
import { fuse } from './fusion.ts';
import { createPhaseClock, type PhaseClock, searchTrace } from './search-trace.ts';
import { withinTokens } from './token-budget.ts';

export interface SearchDeps {
  readonly collections: MemoryCollections;
  readonly vectors: VectorIndex;
  readonly embeddings: EmbeddingModel;
  readonly lexical: LexicalEncoder;
}

export interface Search {
  readonly space: string;
  readonly agentId: string;
  readonly query: string;
  /** Empty: all three. */
  readonly factTypes: readonly FactType[];
  /** The most units that are looked at. */
  readonly thinkingBudget: number;
  /** Tokens of cl100k over the texts of the results. */
  readonly maxTokens: number;
  readonly trace: boolean;
}

type FoundUnit = Pick<
  Unit,
  '_id' | 'text' | 'factType' | 'context' | 'eventDate' | 'documentId' | 'entities' | 'tokens'
> & { readonly score: number };

/** The built-in vectors know spelling only: on conversations they help a little, and harm from about 0.3 on. */
const weights = { dense: 0.2, lexical: 1 } as const;

const foundFields = {
  text: 1,
  factType: 1,
  context: 1,
  eventDate: 1,
  documentId: 1,
  entities: 1,
  tokens: 1,
} as const;

/** Finds an agent's units by meaning and by words, best first. */
export async function search(deps: SearchDeps, request: Search): Promise<SearchReply> {
  const clock = createPhaseClock(() => performance.now());
  const retrieval = await retrieve(deps, request, clock);
  const rankings = [
    { hits: retrieval.dense, weight: weights.dense },
    { hits: retrieval.lexical, weight: weights.lexical },
  ];
  const fused = fuse(rankings).slice(0, request.thinkingBudget);
  const found = await clock.time('read', () => readUnits(deps.collections, fused));
  const fitting = withinTokens(found, request.maxTokens);
  const results = fitting.map(toResult);
  if (!request.trace) return { results, trace: null };
  const pruned = prunedBy(fused, found, fitting);
  const trace = { query: request.query, resultCount: results.length, retrieval, fused, pruned, clock };
  return { results, trace: searchTrace(trace) };
}

async function retrieve({ embeddings, lexical, vectors }: SearchDeps, request: Search, clock: PhaseClock) {
  const { query, factTypes, thinkingBudget: limit } = request;
  const [dense] = await clock.time('embed', () => embeddings.embed([query]));
  if (!dense) throw new Error('The embedding model gave no vector for the query');
  return clock.time('retrieve', () =>
    vectors.search({
      agentKey: agentKey(request),
      factTypes,
      dense: Array.from(dense),
      lexical: lexical.query(query),
      limit,
    }),
  );
}

/** The units in the order of the hits; a hit whose unit is gone, or not stored yet, is left out. */
async function readUnits({ units }: MemoryCollections, hits: readonly Hit[]): Promise<FoundUnit[]> {
  if (hits.length === 0) return [];
  const ids = hits.map(({ id }) => id);
  // In one round trip: the server would otherwise hold back what is beyond the first hundred.
  const options = { projection: foundFields, batchSize: ids.length };
  const rows = await units.find({ _id: { $in: ids } }, options).toArray();
  const byId = new Map(rows.map((row) => [row._id, row]));
  return hits.flatMap(({ id, score }) => {
    const row = byId.get(id);
    return row ? [{ ...row, score }] : [];
  });
}

function toResult(unit: FoundUnit): SearchReply['results'][number] {
  return {
    id: unit._id,
    text: unit.text,
    type: unit.factType,
    activation: unit.score,
    context: unit.context,
    event_date: timestamp(unit.eventDate),
    score: unit.score,
    document_id: unit.documentId,
    entities: entityText(unit.entities),
  };
}

function prunedBy(fused: readonly Hit[], found: readonly FoundUnit[], fitting: readonly FoundUnit[]) {
  const stored = new Set(found.map(({ _id }) => _id));
  const kept = new Set(fitting.map(({ _id }) => _id));
  return fused
    .filter(({ id }) => !kept.has(id))
    .map(({ id }) => ({ id, reason: stored.has(id) ? 'max_tokens' : 'not stored' }));
}
