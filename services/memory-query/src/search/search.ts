import { agentKey, type FactType, type rerankers, type SearchReply } from '@mneme/contracts';
import type { EmbeddingModel, LexicalEncoder } from '@mneme/models';
import type { MemoryCollections } from '../read-model/collections.ts';
import type { VectorHits, VectorIndex } from '../vectors/unit-vectors.ts';
import { type Activated, activate } from './activation.ts';
import { candidateOf, type FoundUnit } from './candidate.ts';
import { planVisits, type Visit } from './candidates.ts';
import { resultLimit } from './floor.ts';
import { fuse } from './fusion.ts';
import { analyseQuestion, type Question } from './question.ts';
import { type Ranked, rerank, withoutRerank } from './rerank.ts';
import { toResult } from './search-result.ts';
import { type SearchSettings, settingsFor } from './search-settings.ts';
import { createPhaseClock, type PhaseClock, searchTrace } from './search-trace.ts';
import { termsOf, weighTerms } from './term-weights.ts';
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
  readonly reranker: (typeof rerankers)[number];
  readonly trace: boolean;
  /** ISO 8601 with an offset; null: now. */
  readonly questionDate: string | null;
}

/** Finds an agent's units: by words and by meaning, then by activation that spreads from what was found. */
export async function search(deps: SearchDeps, request: Search): Promise<SearchReply> {
  const clock = createPhaseClock(() => performance.now());
  const question = analyseQuestion(request.query, deps.lexical);
  const settings = settingsFor(deps.embeddings.name);
  const { hits, vector } = await retrieve(deps, request, question, clock);
  const entries = fuse([
    { hits: hits.lexical, weight: 1 },
    { hits: hits.dense, weight: settings.denseRank },
  ]);
  const visits = planVisits(entries, request.thinkingBudget);
  const read = await clock.time('read', () => readUnits(deps, request, hits, visits));
  const similarity = await similarities(deps, settings, { hits, vector, units: read.visited }, clock);
  const candidates = read.visited.map((unit) => candidateOf(unit, similarity.get(unit._id) ?? 0, deps.lexical));
  const weights = weighTerms(question, hits.terms, read.terms, read.unitCount);
  const activated = activate(candidates, question, weights, settings);
  const ranked = order(activated, request, question).slice(0, resultLimit(activated, settings));
  const fitting = withinTokens(ranked.map(withTokens), request.maxTokens);
  const results = fitting.map(toResult);
  const trace = request.trace
    ? searchTrace({ query: request.query, results, hits, entries, visits, activated, ranked, clock })
    : null;
  return { results, trace };
}

/** How many are asked for by meaning where the model sees words only; more would cost time and find nothing new. */
const fewDense = 20;
/** More entry points than this have no effect on what is found. */
const maxEntries = 1_000;

async function retrieve(deps: SearchDeps, request: Search, question: Question, clock: PhaseClock) {
  const { embeddings, vectors } = deps;
  const [dense] = await clock.time('embed', () => embeddings.embed([request.query]));
  if (!dense) throw new Error('The embedding model gave no vector for the query');
  const vector = Array.from(dense);
  const lexicalLimit = Math.min(request.thinkingBudget, maxEntries);
  const denseLimit = settingsFor(embeddings.name).denseRank < 1 ? Math.min(fewDense, lexicalLimit) : lexicalLimit;
  const lexical = { indices: question.terms.map(({ id }) => id), values: question.terms.map(({ count }) => count) };
  const common = { agentKey: agentKey(request), factTypes: request.factTypes, dense: vector, lexical };
  const hits = await clock.time('retrieve', () => vectors.search({ ...common, lexicalLimit, denseLimit }));
  return { hits, vector };
}

const foundFields = {
  text: 1,
  factType: 1,
  context: 1,
  eventDate: 1,
  documentId: 1,
  documentKey: 1,
  operationId: 1,
  fact: 1,
  entities: 1,
  tokens: 1,
  mentions: 1,
} as const;

/** The units to visit, in that order, without those that are gone or not stored yet; and what the term weights follow from. */
async function readUnits(
  { collections, lexical }: SearchDeps,
  request: Search,
  hits: VectorHits,
  visits: readonly Visit[],
) {
  const ofTerms = hits.terms.flatMap((hit) => (hit ? [hit.id] : []));
  const ids = [...new Set([...visits.map(({ id }) => id), ...ofTerms])];
  const { factTypes } = request;
  const [rows, agent] = await Promise.all([
    collections.units.find({ _id: { $in: ids } }, { projection: foundFields }).toArray(),
    collections.agents.findOne({ _id: agentKey(request) }, { projection: { unitCount: 1 } }),
  ]);
  const byId = new Map<string, FoundUnit>(rows.map((row) => [row._id, row]));
  const visited = visits.flatMap(({ id }) => byId.get(id) ?? []);
  const wanted = factTypes.length === 0 ? visited : visited.filter(({ factType }) => factTypes.includes(factType));
  const terms = new Map(ofTerms.flatMap((id) => byId.get(id) ?? []).map((unit) => [unit._id, termsOf(unit, lexical)]));
  return { visited: wanted, terms, unitCount: agent?.unitCount ?? 0 };
}

interface KnownSimilarities {
  readonly hits: VectorHits;
  readonly vector: readonly number[];
  readonly units: readonly FoundUnit[];
}

/** Each candidate's cosine, however it was found; asked for only where it counts for something. */
async function similarities(
  { vectors }: SearchDeps,
  settings: SearchSettings,
  { hits, vector, units }: KnownSimilarities,
  clock: PhaseClock,
): Promise<ReadonlyMap<string, number>> {
  const known = new Map(hits.dense.map(({ id, score }) => [id, score]));
  const missing = units.map(({ _id }) => _id).filter((id) => !known.has(id));
  if (settings.denseRank < 1 || missing.length === 0) return known;
  const more = await clock.time('compare', () => vectors.similarities(vector, missing));
  return new Map([...known, ...more]);
}

function order(activated: readonly Activated[], request: Search, question: Question): Ranked[] {
  if (request.reranker === 'none') return withoutRerank(activated);
  const askedAt = request.questionDate === null ? Date.now() : Date.parse(request.questionDate);
  return rerank(activated, { question, askedAt, window: undefined });
}

function withTokens(ranked: Ranked): Ranked & { tokens: number } {
  return { ...ranked, tokens: ranked.unit.tokens };
}
