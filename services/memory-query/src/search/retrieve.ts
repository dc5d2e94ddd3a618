import { setImmediate } from 'node:timers/promises';
import { agentKey } from '@mneme/contracts';
import type { SparseVector } from '@mneme/models';
import type { Searchable } from '../read-model/reads.ts';
import { keep, recall } from '../read-model/remembered.ts';
import { unitFilter } from '../units/unit-filter.ts';
import { scoreByWords } from '../vectors/indexed-units.ts';
import type { Comparison, Hit, IndexedUnit, Scored, VectorFilter, VectorHits } from '../vectors/vector-index.ts';
import { bestFirst } from '../vectors/vector-index.ts';
import type { Question, Search } from './question/question.ts';
import type { QuestionVectors } from './question/question-vectors.ts';
import { type EncodedQuestion, weighTerms } from './question/term-weights.ts';
import { hitLimits, type SearchPart } from './search-settings.ts';
import type { PhaseClock } from './search-trace.ts';

export interface RetrieveDeps
  extends Pick<Searchable, 'collections' | 'vectors' | 'removals' | 'remembered' | 'known'> {
  readonly embedded: Promise<QuestionVectors>;
  readonly clock: PhaseClock;
  readonly without: ReadonlySet<SearchPart>;
  /** Whether the relevance needs to know how similar units are to the whole question. */
  readonly isCompared: boolean;
}

/** What the methods found, and the question as they compared it. */
export interface Retrieved {
  readonly encoded: EncodedQuestion;
  readonly hits: VectorHits;
  /** How similar hits by meaning and other units are to the whole question, if that is needed. */
  readonly comparing: Promise<Comparison> | undefined;
  /** Whether a hit was removed before it was read how it is indexed. */
  readonly isOutdated: boolean;
}

/**
 * Finds units by words, by meaning, and within the time that the question names, and passages by their words. The words of
 * the question are counted while it is embedded. Units that were found otherwise are hits by words too if they have any of
 * them, however many others have more.
 */
export async function retrieve(deps: RetrieveDeps, request: Search, question: Question): Promise<Retrieved> {
  const { vectors, removals, clock, without } = deps;
  const ofAgent = { agentKey: agentKey(request), factTypes: [], removals };
  const counting = countUnits(deps, ofAgent);
  const terms = question.terms.map(({ id }) => id);
  const [{ balanced, whole }, counts, unitCount, everCount] = await Promise.all([
    clock.time('embed', () => deps.embedded),
    clock.time('count', () => countTerms(deps, ofAgent, terms, counting)),
    counting,
    deps.isCompared ? countEver(deps, ofAgent.agentKey) : 0,
  ]);
  const weights = weighTerms(question, counts, unitCount);
  const { atLeast, perVisit, most, passages } = hitLimits;
  const window = without.has('window') ? undefined : question.window;
  const hitsPerMethod = Math.min(most, Math.max(atLeast, perVisit * request.thinkingBudget));
  const wanted = {
    ...ofAgent,
    factTypes: request.factTypes,
    about: unitFilter(request),
    // A search for all units gets as many as may be visited.
    units: Math.max(hitsPerMethod, request.minScore === 0 ? request.thinkingBudget : 0),
    meaning: { dense: balanced, window },
    words: { terms: weights.vector, passages },
  };
  const found = await clock.time('find', () => vectors.find(wanted));
  const among = found.dense.map(({ id }) => id);
  const sample = spread(everCount, unitCount);
  const comparing = deps.isCompared ? vectors.compare({ ...wanted, whole, among, sample }) : undefined;
  // It is awaited later; if something else fails before, the rejection must not stay unhandled.
  comparing?.catch(() => undefined);
  // Node sends a request when nothing else is ready to run: without this, after all that is computed from here on.
  if (comparing) await setImmediate();
  const ids = [...new Set([found.words, found.passages, found.dense, found.window].flat().map(({ id }) => id))];
  const indexed = await clock.time('details', () => readIndexed(deps, ofAgent.agentKey, ids));
  const placed = (scored: readonly Scored[]): Hit[] =>
    scored.flatMap(({ id, score }) => {
      const unit = indexed.get(id);
      return unit ? [{ ...unit.place, score }] : [];
    });
  const hits = {
    ...found,
    dense: placed(found.dense),
    window: placed(found.window),
    words: placed([...found.words, ...otherWordHits(found.words, indexed, weights.vector)]),
    passages: placed(found.passages),
  };
  const isOutdated = ids.some((id) => !indexed.has(id));
  return { encoded: { weights, unitCount }, hits, comparing, isOutdated };
}

/** Units that were found otherwise and have some of the words, best first. */
function otherWordHits(
  hits: readonly Scored[],
  indexed: ReadonlyMap<string, IndexedUnit>,
  { indices, values }: SparseVector,
): Scored[] {
  const weights = new Map(indices.map((term, index) => [term, values[index] ?? 0]));
  const known = new Set(hits.map(({ id }) => id));
  const others: Scored[] = [];
  for (const [id, { words }] of indexed) {
    const score = known.has(id) ? 0 : scoreByWords(weights, words);
    if (score > 0) others.push({ id, score });
  }
  return others.sort(bestFirst);
}

/** How units are indexed, remembered or else read. */
async function readIndexed(
  { vectors, remembered, known }: RetrieveDeps,
  agentKey: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IndexedUnit>> {
  if (!known) return vectors.indexed(agentKey, ids);
  const { found, unknown } = recall(known.indexed, ids);
  const read = unknown.length === 0 ? new Map<string, IndexedUnit>() : await vectors.indexed(agentKey, unknown);
  // Where another instance writes, a unit may only have no point while it is replaced.
  const certain = known.isExact ? unknown : [...read.keys()];
  remembered.add(agentKey, known, ({ indexed }) => keep(indexed, certain, read, bytesOfWords));
  return new Map([...found, ...read.values()].map((unit) => [unit.place.id, unit]));
}

const bytesPerWord = 20;

function bytesOfWords({ words }: IndexedUnit): number {
  return bytesPerWord * words.indices.length;
}

async function countUnits({ vectors, remembered, known }: RetrieveDeps, of: VectorFilter): Promise<number> {
  if (!known?.isExact) return vectors.count(of);
  if (known.unitCount !== undefined) return known.unitCount;
  const count = await vectors.count(of);
  remembered.add(of.agentKey, known, (agent) => {
    agent.unitCount = count;
  });
  return count;
}

/** How many units the agent has ever had, which is its greatest ordinal. */
async function countEver({ collections, remembered, known }: RetrieveDeps, agentKey: string): Promise<number> {
  if (known?.isExact && known.everCount !== undefined) return known.everCount;
  const agent = await collections.agents.findOne({ _id: agentKey }, { projection: { unitCount: 1 } });
  const count = agent?.unitCount ?? 0;
  if (known?.isExact) {
    remembered.add(agentKey, known, (of) => {
      of.everCount = count;
    });
  }
  return count;
}

/** How many units have each of some terms. */
async function countTerms(
  { vectors, remembered, known }: RetrieveDeps,
  of: VectorFilter,
  terms: readonly number[],
  unitCount: Promise<number>,
): Promise<readonly number[]> {
  if (!known?.isExact) return (await vectors.countTerms(of, terms, unitCount)).counts;
  const unknown = terms.filter((term) => !known.terms.has(term));
  const { counts, capped } = await vectors.countTerms(of, unknown, unitCount);
  const added = new Map(unknown.map((term, index) => [term, counts[index] ?? 0]));
  remembered.add(of.agentKey, known, (agent) => {
    // Another question may be about what was not counted further for this one.
    for (const [term, count] of added) if (!capped.has(term)) agent.terms.set(term, count);
  });
  return terms.map((term) => added.get(term) ?? known.terms.get(term) ?? 0);
}

/** How many units tell how similar any unit is to a question. */
const sampleSize = 64;
/** An agent that had more times as many units as it has gets a smaller sample. */
const mostTimes = 64;

/** Ordinals at equal distances, so many that about `sampleSize` of them are those of units that still exist. */
function spread(everCount: number, unitCount: number): number[] {
  const times = Math.min(mostTimes, Math.max(1, Math.round(everCount / Math.max(1, unitCount))));
  const size = Math.min(sampleSize * times, everCount);
  return Array.from({ length: size }, (_, index) => 1 + Math.floor((index * everCount) / size));
}
