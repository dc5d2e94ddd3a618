import { agentKey } from '@mneme/contracts';
import type { Readable } from '../read-model/reads.ts';
import type { Hit, Scored, VectorHits } from '../vectors/vector-index.ts';
import type { Question, Search } from './question.ts';
import type { QuestionVectors } from './question-vectors.ts';
import { hitLimits, type SearchPart } from './search-settings.ts';
import type { PhaseClock } from './search-trace.ts';
import { type TermWeights, weighTerms } from './term-weights.ts';
import { unitFilter } from './unit-filter.ts';

/** A question as its words are compared. */
export interface EncodedQuestion {
  readonly weights: TermWeights;
  /** How many units the agent has. */
  readonly unitCount: number;
}

export interface RetrieveDeps extends Pick<Readable, 'vectors' | 'removals'> {
  readonly embedded: Promise<QuestionVectors>;
}

/** What the methods found, and the question as they compared it. */
export interface Retrieved {
  readonly encoded: EncodedQuestion;
  readonly hits: VectorHits;
}

/**
 * Finds units by words, by meaning, and within the time that the question names, and passages by their words. Meaning is
 * searched while the words of the question are still counted, since only words have weights. Units that were found otherwise
 * are hits by words too if they have any of them, however many others have more.
 */
export async function retrieve(
  { vectors, embedded, removals }: RetrieveDeps,
  request: Search,
  question: Question,
  clock: PhaseClock,
  without: ReadonlySet<SearchPart>,
): Promise<Retrieved> {
  const ofAgent = { agentKey: agentKey(request), factTypes: [], removals };
  const unitCount = vectors.count(ofAgent);
  const { atLeast, perVisit, most, passages } = hitLimits;
  const units = Math.min(most, Math.max(atLeast, perVisit * request.thinkingBudget));
  const wanted = { ...ofAgent, factTypes: request.factTypes, about: unitFilter(request), units };
  const window = without.has('window') ? undefined : question.window;
  const byMeaning = async () => {
    const { balanced, whole } = await clock.time('embed', () => embedded);
    const sample = spread(await unitCount);
    const query = { ...wanted, unitCount: await unitCount, dense: balanced, whole, sample, window };
    return clock.time('meaning', () => vectors.byMeaning(query));
  };
  const byWords = async () => {
    const terms = question.terms.map(({ id }) => id);
    const counts = await clock.time('count', () => vectors.countTerms(ofAgent, terms, unitCount));
    const weights = weighTerms(question, counts, await unitCount);
    const hits = await clock.time('words', () => vectors.byWords({ ...wanted, words: weights.vector, passages }));
    return { weights, hits };
  };
  const [ofMeaning, { weights, hits: ofWords }] = await Promise.all([byMeaning(), byWords()]);
  const found = { ...ofMeaning, ...ofWords };
  const ids = [...new Set([found.words, found.passages, found.dense, found.window].flat().map(({ id }) => id))];
  const asked = {
    ids,
    words: weights.vector,
    withWords: ids.filter(isNotAmong(found.words)),
    whole: (await embedded).whole,
    withMeaning: found.dense.map(({ id }) => id),
  };
  const { places, words, closest } = await clock.time('details', () => vectors.details(asked));
  const placed = (scored: readonly Scored[]): Hit[] =>
    scored.flatMap(({ id, score }) => {
      const place = places.get(id);
      return place ? [{ ...place, score }] : [];
    });
  const hits = {
    ...found,
    closest,
    dense: placed(found.dense),
    window: placed(found.window),
    words: placed([...found.words, ...words]),
    passages: placed(found.passages),
  };
  return { encoded: { weights, unitCount: await unitCount }, hits };
}

function isNotAmong(scored: readonly Scored[]): (id: string) => boolean {
  const ids = new Set(scored.map(({ id }) => id));
  return (id) => !ids.has(id);
}

/** How many units tell how similar any unit is to a question. */
const sampleSize = 64;

/** Ordinals at equal distances. */
function spread(unitCount: number): number[] {
  const size = Math.min(sampleSize, unitCount);
  return Array.from({ length: size }, (_, index) => 1 + Math.floor((index * unitCount) / size));
}
