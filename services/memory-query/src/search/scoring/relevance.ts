import type { Calibration, LexicalEncoder } from '@mneme/models';
import { speakerOfUnit } from '../../read-model/speaker.ts';
import type { Comparison } from '../../vectors/vector-index.ts';
import type { Question } from '../question/question.ts';
import type { EncodedQuestion } from '../question/term-weights.ts';
import { leastIdentified } from '../search-settings.ts';
import type { Candidate, Visit } from './activation.ts';
import { type DayWordsContext, matchWithoutDay } from './day-words.ts';
import { totalOf } from './passages.ts';
import { mereReplyTo, type TimeOfUnits } from './unit-form.ts';

/** How many results a question gets at most, by its evidence; less than the last step is none. */
interface Step {
  readonly from: number;
  readonly results: number;
}

/**
 * For models that compare meaning. `docs/search.md` lists the same steps, all greater by `offset`, which the evidence here has
 * subtracted already. `docs/benchmarks.md` says how many results questions about something else get with them.
 */
const stepsOfMeaning: readonly Step[] = [
  { from: 0.12, results: Number.POSITIVE_INFINITY },
  { from: 0.08, results: 30 },
  { from: 0.03, results: 15 },
  { from: 0, results: 10 },
  { from: -0.02, results: 5 },
];
/**
 * Up to this number of units the evidence is the similarity of the closest one; up to four times as many, the mean of two; three
 * up to nine times as many: of 20 notes about different things only one or two are about a question.
 */
const unitsForOne = 10;
/**
 * The last of these steps: by so much lower for an agent with hardly any units, falling to an e-th with every `fewUnits`. Of few
 * units less than the closest five may be about the question, and few of its words are known.
 */
const lastStep: Step = { from: -0.06, results: 3 };
const lowerForFew = 0.08;
const fewUnits = 150;
/**
 * The same by how similar the closest units are, whatever is usual: of an agent whose units are all of one kind, such as
 * expenses, all are similar to a question about them. In parts of the distance from unrelated to certain.
 */
const stepsOfCloseness: readonly Step[] = [
  { from: 1.7, results: Number.POSITIVE_INFINITY },
  { from: 1.5, results: 30 },
  { from: 1.15, results: 10 },
  { from: 0.77, results: 3 },
];
/** For a model that compares only words: the share of the question's words in the best passage. */
const stepsOfWords: readonly Step[] = [
  { from: 0.5, results: Number.POSITIVE_INFINITY },
  { from: 0.4, results: 12 },
  { from: 0.3, results: 3 },
];
/** The same beside a model that compares meaning, which knows better about fewer words. */
const stepsOfManyWords: readonly Step[] = [
  { from: 0.85, results: Number.POSITIVE_INFINITY },
  { from: 0.6, results: 10 },
  { from: 0.45, results: 3 },
];
/** The cosine of unrelated texts counts like this many units of the sample, since a few units say little. */
const assumedUnits = 20;
const assumedCosine = 0.12;
/** Of many units the most similar to anything is more similar: by so much for e times as many. */
const perMagnitude = 0.02;
/** For the part of the question's words that no unit has, and for a name among them. */
const perMissing = 0.12;
const forUnknownName = 0.08;
/** For a question about those whom the agent knows, which is less likely to be about something else. */
const forKnownNames = 0.05;
/** The same, as a share of words, for a model that compares only words. */
const wordsForKnownNames = 0.3;
/** A question with more words asks for several things, and what answers one of them has a smaller share of its words. */
const usualTerms = 6;
/** So that a page of text does not match everything. */
const mostTimesUsual = 4;
const offset = 0.09;
/** The distance from unrelated to certain of the model on which the constants were measured. */
const measuredScale = 0.26;

export interface RelevanceContext {
  /** Undefined if the model compares only words. */
  readonly comparison: Comparison | undefined;
  readonly encoded: EncodedQuestion;
  readonly question: Question;
  readonly calibration: Calibration;
}

/** A model that counts less beside words has nothing to say about meaning. */
const leastWeight = 0.5;

export function comparesMeaning({ weight }: Calibration): boolean {
  return weight >= leastWeight;
}

/** The most results of a question that does not say how good they have to be: few or none if nothing stored answers it. */
export function resultLimit(visits: readonly Visit[], context: RelevanceContext): number {
  const { question, calibration, encoded, comparison } = context;
  const known = encoded.weights.hasKnownNames ? wordsForKnownNames : 0;
  const length = Math.min(mostTimesUsual, Math.max(1, question.terms.length / usualTerms));
  const words = comparison
    ? resultsFrom(stepsOfManyWords, bestWords(visits))
    : resultsFrom(stepsOfWords, length * bestWords(visits) + known);
  return Math.max(words, comparison ? resultsByMeaning({ ...comparison, encoded, calibration }) : 0);
}

type MeaningContext = Comparison & Pick<RelevanceContext, 'encoded' | 'calibration'>;

function resultsByMeaning(context: MeaningContext): number {
  const byEvidence = resultsFrom(stepsFor(context.encoded.unitCount), evidenceOfMeaning(context));
  return Math.max(byEvidence, resultsFrom(stepsOfCloseness, closenessOfMeaning(context)));
}

/** How many results a question gets in any case: those for the units that have the identifier that it names. */
export function leastResults(candidates: readonly Candidate[], { identified }: Question): number {
  if (identified === undefined) return 0;
  return Math.min(leastIdentified, candidates.filter(({ unit }) => identified(unit.text) === 'asked').length);
}

/**
 * How much more similar to the question the best units are than any unit of this agent is: a question with a name in it is
 * somewhat similar to every line of a conversation. Greater than 0 for most questions that have an answer.
 */
export function evidenceOfMeaning({ closest, sample, encoded, calibration }: MeaningContext): number {
  const { weights, unitCount } = encoded;
  if (closest.length === 0) return Number.NEGATIVE_INFINITY;
  const best = bestOf(closest, unitCount);
  // Of an agent with few units the sample has the best as well.
  const others = sample.filter((cosine) => cosine < (best.at(-1) ?? 0));
  const usual = (sum(others) + assumedUnits * assumedCosine) / (others.length + assumedUnits);
  const scale = measuredScale / distanceOf(calibration);
  const trust = weights.hasKnownNames ? forKnownNames : 0;
  const doubt = perMissing * weights.missing + (weights.hasUnknownName ? forUnknownName : 0);
  return scale * (mean(best) - usual) - perMagnitude * Math.log(Math.max(1, unitCount)) - doubt + trust - offset;
}

/** How similar the best units are to the question, in parts of the distance from unrelated to certain. */
function closenessOfMeaning({ closest, encoded, calibration }: MeaningContext): number {
  if (closest.length === 0) return Number.NEGATIVE_INFINITY;
  const { weights, unitCount } = encoded;
  const doubt = weights.hasUnknownName ? forUnknownName / measuredScale : 0;
  return (mean(bestOf(closest, unitCount)) - calibration.unrelated) / distanceOf(calibration) - doubt;
}

function distanceOf({ strong, unrelated }: Calibration): number {
  return Math.max(0.05, strong - unrelated);
}

function bestOf(closest: readonly number[], unitCount: number): readonly number[] {
  return closest.slice(0, Math.max(1, Math.ceil(Math.sqrt(unitCount / unitsForOne))));
}

function stepsFor(unitCount: number): readonly Step[] {
  const from = lastStep.from - lowerForFew * Math.exp(-unitCount / fewUnits);
  return [...stepsOfMeaning, { ...lastStep, from }];
}

function resultsFrom(steps: readonly Step[], evidence: number): number {
  return steps.find(({ from }) => evidence >= from)?.results ?? 0;
}

function bestWords(visits: readonly Visit[]): number {
  return visits.reduce((best, { match, passageMatch }) => Math.max(best, match.words, passageMatch.words), 0);
}

/** From this match on, words and meaning together, a unit or its passage is relevant to a question. */
const relevantFrom = 0.5;

export interface RelevantTo extends DayWordsContext {
  readonly question: Question;
  readonly lexical: Pick<LexicalEncoder, 'sequence' | 'isCommon'>;
  readonly time: TimeOfUnits;
}

/**
 * Tells which visited units are relevant: those that match the question themselves or by their passage, those of the time
 * that it is about or with the identifier that it names, and what another speaker says right after a question that matches
 * it. Other units with another identifier in its place are not, nor is what is said after a question with one, nor what is
 * of another time while units of the time that the question is about tell what it asks.
 */
export function relevanceAmong(
  candidates: readonly Candidate[],
  { question, lexical, weights, time }: RelevantTo,
): (each: Candidate) => boolean {
  const byId = new Map(candidates.map((each) => [each.id, each]));
  const withoutDay = matchWithoutDay(candidates, { question, lexical, weights });
  const fits = (each: Candidate) => matches(each) && matches(withoutDay(each));
  const isMereReply = mereReplyTo(question, lexical);
  const isOther = ({ unit }: Candidate) => question.identified?.(unit.text) === 'other';
  const answers = ({ unit, asked }: Candidate) => {
    const before = asked === undefined ? undefined : byId.get(asked);
    return (
      before !== undefined &&
      fits(before) &&
      !isOther(before) &&
      mayAnswer(speakerOfUnit(before.unit), speakerOfUnit(unit))
    );
  };
  return (each) => {
    if (question.identified?.(each.unit.text) === 'asked' || time.ofTime.has(each.id)) return true;
    if (time.elsewhere.has(each.id)) return false;
    if (answers(each)) return true;
    return fits(each) && !isOther(each) && !isMereReply(each.unit.text);
  };
}

export function matches({ match, passageMatch }: Pick<Visit, 'match' | 'passageMatch'>): boolean {
  return Math.max(totalOf(match), totalOf(passageMatch)) >= relevantFrom;
}

function mayAnswer(asking: string | undefined, speaking: string | undefined): boolean {
  return asking === undefined || asking !== speaking;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
