import { agentKey } from '@mneme/contracts';
import type { Readable } from '../read-model/reads.ts';
import type { VectorHits } from '../vectors/vector-index.ts';
import type { Question, Search } from './question.ts';
import type { QuestionVectors } from './question-vectors.ts';
import { hitLimits, type SearchPart } from './search-settings.ts';
import type { PhaseClock } from './search-trace.ts';
import { type TermWeights, weighTerms } from './term-weights.ts';
import { unitFilter } from './unit-filter.ts';

/** A question as the index compares it. */
export interface EncodedQuestion {
  readonly vectors: QuestionVectors;
  readonly weights: TermWeights;
  /** How many units the agent has. */
  readonly unitCount: number;
}

export interface EncodeDeps extends Pick<Readable, 'vectors' | 'removals'> {
  readonly embedded: Promise<QuestionVectors>;
}

/** Counts how many units of the agent have the words of a question, while it is embedded. */
export async function encodeQuestion(
  { vectors, embedded, removals }: EncodeDeps,
  request: Search,
  question: Question,
  clock: PhaseClock,
): Promise<EncodedQuestion> {
  const ofAgent = { agentKey: agentKey(request), factTypes: [], removals };
  const terms = question.terms.map(({ id }) => id);
  const [embeddedQuestion, counts, unitCount] = await Promise.all([
    clock.time('embed', () => embedded),
    clock.time('count', () => vectors.countTerms(ofAgent, terms)),
    vectors.count(ofAgent),
  ]);
  return { vectors: embeddedQuestion, weights: weighTerms(question, counts, unitCount), unitCount };
}

export type RetrieveDeps = Pick<Readable, 'vectors' | 'removals'>;

/** Finds units by words, by meaning, and within the time that the question names, and passages by their words. */
export function retrieve(
  { vectors, removals }: RetrieveDeps,
  request: Search,
  question: Question,
  { vectors: { balanced, whole }, weights, unitCount }: EncodedQuestion,
  without: ReadonlySet<SearchPart>,
): Promise<VectorHits> {
  const { atLeast, perVisit, most, passages } = hitLimits;
  return vectors.search({
    agentKey: agentKey(request),
    factTypes: request.factTypes,
    removals,
    about: unitFilter(request),
    dense: balanced,
    whole,
    words: weights.vector,
    units: Math.min(most, Math.max(atLeast, perVisit * request.thinkingBudget)),
    passages,
    sample: spread(unitCount),
    window: without.has('window') ? undefined : question.window,
  });
}

/** How many units tell how similar any unit is to a question. */
const sampleSize = 64;

/** Ordinals at equal distances. */
function spread(unitCount: number): number[] {
  const size = Math.min(sampleSize, unitCount);
  return Array.from({ length: size }, (_, index) => 1 + Math.floor((index * unitCount) / size));
}
