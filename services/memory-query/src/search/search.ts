import { setImmediate } from 'node:timers/promises';
import { agentKey, type SearchReply } from '@mneme/contracts';
import type { EmbeddingModel, LexicalEncoder } from '@mneme/models';
import type { Slot } from '@mneme/workers/fair-limiter';
import type { Searchable } from '../read-model/reads.ts';
import { findRemovals, type Removals } from '../read-model/removals.ts';
import { analyseQuestion, type Question, type Search } from './question/question.ts';
import { embedQuestion, type QuestionVectors } from './question/question-vectors.ts';
import { readUnits, withoutUnwanted } from './read-units.ts';
import { type RetrieveDeps, retrieve } from './retrieve.ts';
import { activate, planVisits, spreadOverLinks } from './scoring/activation.ts';
import { type CrossEncoder, crossEncode } from './scoring/cross-encode.ts';
import { readLines } from './scoring/lines.ts';
import { comparesMeaning, leastResults, relevanceAmong, resultLimit } from './scoring/relevance.ts';
import { type Ranked, rerank, withoutRerank } from './scoring/rerank.ts';
import { timeOfUnits } from './scoring/unit-form.ts';
import { drawPicture } from './search-picture.ts';
import { toResults, withinTokens } from './search-result.ts';
import type { SearchPart } from './search-settings.ts';
import { createPhaseClock, type PhaseClock, type Reranking, searchTrace } from './search-trace.ts';

export interface SearchDeps extends Pick<Searchable, 'collections' | 'vectors' | 'remembered' | 'known'> {
  /** May still be loading when the search begins, because there are hardly ever any. */
  readonly removals: Removals | Promise<Removals>;
  readonly embeddings: EmbeddingModel;
  /** The question, where several searches have the same; otherwise each search embeds it. */
  readonly embedded?: Promise<QuestionVectors> | undefined;
  readonly lexical: LexicalEncoder;
  /** Chooses the results that fit into `max_tokens`; by default those before the first that does not. */
  readonly within?: typeof withinTokens | undefined;
  /** Reads the best again, for searches that ask for it. */
  readonly crossEncoder?: CrossEncoder | undefined;
  /** Parts that are switched off. */
  readonly without?: readonly SearchPart[];
  /** Is left while a server is waited for. */
  readonly slot?: Slot | undefined;
  /** Aborted when the caller has stopped waiting: no server is asked any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Finds an agent's units: by words and by meaning, then by activation that spreads from what was found. */
export async function search(deps: SearchDeps, request: Search): Promise<SearchReply> {
  const clock = createPhaseClock(() => performance.now());
  const without = new Set(deps.without);
  const embedded = deps.embedded ?? embedQuestion(deps.embeddings, request.query, deps);
  // It is awaited later; if something else fails before, the rejection must not stay unhandled.
  embedded.catch(() => undefined);
  // A model in another process gets the question before it is analysed here.
  const sent = deps.embeddings.isSlow ? setImmediate() : undefined;
  const [removals] = await Promise.all([deps.removals, sent]);
  const question = analyseQuestion(request.query, request.questionDate ?? new Date().toISOString(), deps.lexical);
  const { calibration } = deps.embeddings;
  const isLimited = !isUnlimited(request, without);
  const isCompared = isLimited && comparesMeaning(calibration);
  const finding = { ...deps, embedded, clock, without, isCompared };
  const { encoded, hits, comparing, settings, ordering, activated, read } = await findUnits(
    { ...finding, removals, known: knownBeside(removals, deps.known) },
    request,
    question,
  );
  const candidates = spreadOverLinks(read.candidates, read.links);
  const limiting = { comparison: await comparing, encoded, question, calibration };
  const limit = isLimited
    ? Math.max(resultLimit(candidates, limiting), leastResults(candidates, question))
    : Number.POSITIVE_INFINITY;
  const asked = { question, lexical: deps.lexical, time: await timeOfUnits(candidates, question, deps.lexical) };
  const inOrder =
    request.reranker === 'none' ? withoutRerank(candidates, ordering) : rerank(candidates, { ...asked, ...ordering });
  const answers = limit === 0 && !question.isAboutTime ? [] : inOrder;
  const { ranked: best, reranking } = await rerankFurther(deps, request, answers, clock);
  const ranked = best
    .filter(({ id }, index) => index < limit || asked.time.within.has(id))
    .filter(({ score }) => score >= (request.minScore ?? 0));
  const wanted = ranked.slice(0, request.limit ?? undefined);
  const isRelevant = relevanceAmong(candidates, { ...asked, weights: encoded.weights.vector });
  const results = toResults(
    (deps.within ?? withinTokens)(
      wanted.map((each) => ({ ...each, tokens: each.unit.tokens })),
      request.maxTokens,
    ),
    isRelevant,
  );
  if (!request.trace) return { results, trace: null };
  return {
    results,
    trace: searchTrace({
      query: request.query,
      results,
      hits,
      activated,
      visits: read.visits,
      keeps: ordering.keeps,
      candidates,
      ranked,
      wanted: wanted.length,
      reranking,
      clock,
      picture: () =>
        drawPicture({
          hits,
          settings,
          candidates,
          links: read.links,
          inOrder,
          reranked: reranking.used === 'cross-encoder' ? best : inOrder,
          resultIds: results.map(({ id }) => id),
        }),
    }),
  };
}

type FindDeps = RetrieveDeps & Pick<SearchDeps, 'embeddings'>;

/**
 * Finds units and reads them. If the index had units that are not stored when they are read, it is done once more, with nothing
 * that is remembered: they may have been replaced meanwhile, and the new version was not yet in the index.
 */
async function findUnits(deps: FindDeps, request: Search, question: Question) {
  const found = await findOnce(deps, request, question);
  if (!found.isOutdated) return found;
  const ofAgent = { space: request.space, agentKey: agentKey(request) };
  const removals = await findRemovals(deps.collections, ofAgent);
  return findOnce({ ...deps, removals, known: undefined }, request, question);
}

async function findOnce(deps: FindDeps, request: Search, question: Question) {
  const { embeddings, clock, without } = deps;
  const { isOutdated, ...retrieved } = await retrieve(deps, request, question);
  const { hits } = retrieved;
  const lines = await readLines(deps.collections, agentKey(request), hits);
  const settings = { calibration: embeddings.calibration, without, lines };
  const all = activate(hits, settings);
  const inWindow = new Set(question.isAboutTime ? hits.window.map(({ id }) => id) : []);
  const ordering = { without, keeps: kept(request, inWindow), first: (id: string) => inWindow.has(id) };
  const { activated, read } = await clock.time('read', async () => {
    const activated = await withoutUnwanted(deps, request, all);
    const planned = planVisits(activated, request.thinkingBudget, ordering);
    return { activated, read: await readUnits(deps, request, planned, without) };
  });
  return { ...retrieved, settings, ordering, activated, read, isOutdated: isOutdated || read.isOutdated };
}

/**
 * Which units are results although they have nothing in common with the question: any, if the caller wants all, and those of
 * a time, if the question asks what happened then: "What happened yesterday?" has no words that could match.
 */
function kept({ minScore }: Search, inWindow: ReadonlySet<string>): (id: string) => boolean {
  return (id) => minScore === 0 || inWindow.has(id);
}

/**
 * While units are removed, what depends on them may change at any moment: only how units are indexed is then recalled, and
 * nothing is remembered.
 */
function knownBeside(removals: Removals, known: SearchDeps['known']): SearchDeps['known'] {
  return known && removals.length > 0 ? { ...known, isExact: false } : known;
}

/** A caller who says how good results have to be gets all of those. */
function isUnlimited({ minScore }: Search, without: ReadonlySet<SearchPart>): boolean {
  return typeof minScore === 'number' || without.has('floor');
}

/** The limit is applied afterwards, because the model may know better which results are the best. */
async function rerankFurther(
  { crossEncoder, slot }: SearchDeps,
  { reranker: asked, query }: Search,
  ranked: readonly Ranked[],
  clock: PhaseClock,
): Promise<{ ranked: readonly Ranked[]; reranking: Reranking }> {
  if (asked !== 'cross-encoder') return { ranked, reranking: { asked, used: asked, reason: null } };
  const reranking = () => crossEncode(ranked, query, crossEncoder);
  const encoded = await clock.time('rerank', () => (slot && crossEncoder ? slot.leave(reranking) : reranking()));
  const used = encoded.reason === null ? asked : 'heuristic';
  return { ranked: encoded.ranked, reranking: { asked, used, reason: encoded.reason } };
}
