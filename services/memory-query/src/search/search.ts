import type { SearchReply } from '@mneme/contracts';
import type { EmbeddingModel, LexicalEncoder } from '@mneme/models';
import type { Readable } from '../read-model/reads.ts';
import type { Removals } from '../read-model/removals.ts';
import { type Activated, activate } from './activation.ts';
import { candidateOf, type FoundUnit, planVisits } from './candidates.ts';
import { type CrossEncoder, crossEncode } from './cross-encode.ts';
import { resultLimit } from './floor.ts';
import { analyseQuestion, type Question, type Search } from './question.ts';
import { readUnits } from './read-units.ts';
import { type Ranked, rerank, withoutRerank } from './rerank.ts';
import { type Retrieval, retrieve } from './retrieve.ts';
import { toResults, withinTokens } from './search-result.ts';
import { entryShare, linkTargets, type SearchPart, type SearchSettings, settingsFor } from './search-settings.ts';
import { createPhaseClock, type PhaseClock, type Reranking, searchTrace } from './search-trace.ts';
import { weighTerms } from './term-weights.ts';

export interface SearchDeps extends Pick<Readable, 'collections' | 'vectors'> {
  /** May still be loading when the search begins, because there are hardly ever any. */
  readonly removals: Removals | Promise<Removals>;
  readonly embeddings: EmbeddingModel;
  readonly lexical: LexicalEncoder;
  /** Reads the best again, for searches that ask for it. */
  readonly crossEncoder?: CrossEncoder | undefined;
  /** Parts that are switched off. */
  readonly without?: readonly SearchPart[];
}

/** Finds an agent's units: by words and by meaning, then by activation that spreads from what was found. */
export async function search(deps: SearchDeps, request: Search): Promise<SearchReply> {
  const clock = createPhaseClock(() => performance.now());
  const settings = settingsFor(deps.embeddings.name, deps.without);
  const question = analyseQuestion(request.query, request.questionDate ?? new Date().toISOString(), deps.lexical);
  const { retrieval, removals } = await retrieveStored(deps, request, question, settings, clock);
  const visits = planVisits(retrieval.entries, visitBudget(request, settings), !settings.without.has('neighbours'));
  const read = await clock.time('read', () => readUnits({ ...deps, removals, settings }, request, retrieval, visits));
  const similarity = await similarities(deps, settings, retrieval, read.visited, clock);
  const candidates = read.visited.map((unit) => candidateOf(unit, similarity.get(unit._id) ?? 0, deps.lexical));
  const weights = weighTerms(question, retrieval.hits.terms, read.terms, retrieval.unitCount);
  const activated = activate(candidates, { question, weights, links: read.links, settings });
  const limit = resultLimit(activated, { question, weights, settings });
  const inOrder = order(activated, request, question, settings);
  const { ranked: best, reranking } = await rerankFurther(deps, request, limit === 0 ? [] : inOrder, clock);
  const ranked = best.slice(0, limit);
  const results = toResults(withinTokens(ranked.map(withTokens), request.maxTokens));
  if (!request.trace) return { results, trace: null };
  return {
    results,
    trace: searchTrace({ ...retrieval, query: request.query, results, visits, activated, ranked, reranking, clock }),
  };
}

/** Queries the vector index while the removals are loaded, and once more if there are any. */
async function retrieveStored(
  deps: SearchDeps,
  request: Search,
  question: Question,
  settings: SearchSettings,
  clock: PhaseClock,
): Promise<{ retrieval: Retrieval; removals: Removals }> {
  const retrieveWithout = (removals: Removals) => retrieve({ ...deps, removals }, request, question, settings, clock);
  const [found, removals] = await Promise.all([retrieveWithout([]), deps.removals]);
  return { retrieval: removals.length === 0 ? found : await retrieveWithout(removals), removals };
}

/** Leaves room for units that are found by links only, unless the budget is very small. */
function visitBudget({ thinkingBudget }: Search, { without }: SearchSettings): number {
  if (without.has('links')) return thinkingBudget;
  return Math.max(Math.ceil(thinkingBudget * entryShare), thinkingBudget - linkTargets);
}

/** Each candidate's cosine, however it was found; queried only if it affects the ranking. */
async function similarities(
  { vectors }: SearchDeps,
  settings: SearchSettings,
  { hits, vector }: Retrieval,
  units: readonly FoundUnit[],
  clock: PhaseClock,
): Promise<ReadonlyMap<string, number>> {
  const known = new Map([...hits.dense, ...hits.window].map(({ id, score }) => [id, score]));
  const missing = units.map(({ _id }) => _id).filter((id) => !known.has(id));
  if (settings.denseRank < 1 || missing.length === 0) return known;
  const more = await clock.time('compare', () => vectors.similarities(vector, missing));
  return new Map([...known, ...more]);
}

function order(activated: readonly Activated[], request: Search, question: Question, settings: SearchSettings) {
  return request.reranker === 'none' ? withoutRerank(activated) : rerank(activated, { question, settings });
}

/** The floor is applied afterwards, because the model may know better which results are the best. */
async function rerankFurther(
  { crossEncoder }: SearchDeps,
  { reranker: asked, query }: Search,
  ranked: readonly Ranked[],
  clock: PhaseClock,
): Promise<{ ranked: readonly Ranked[]; reranking: Reranking }> {
  if (asked !== 'cross-encoder') return { ranked, reranking: { asked, used: asked, reason: null } };
  const encoded = await clock.time('rerank', () => crossEncode(ranked, query, crossEncoder));
  const used = encoded.reason === null ? asked : 'heuristic';
  return { ranked: encoded.ranked, reranking: { asked, used, reason: encoded.reason } };
}

function withTokens(ranked: Ranked): Ranked & { tokens: number } {
  return { ...ranked, tokens: ranked.unit.tokens };
}
