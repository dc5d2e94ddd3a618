import type { LexicalEncoder } from '@mneme/models';
import { isUserRole, speakerOfUnit } from '../../read-model/speaker.ts';
import { isWithin, names, type Question } from '../question/question.ts';
import { shareOfPairs } from '../question/word-pairs.ts';
import {
  diversity,
  identifierShare,
  latest,
  pairsByLength,
  rerankFactors,
  type SearchPart,
  timeShare,
} from '../search-settings.ts';
import { activationOf, type Candidate, diversify, type Ordering } from './activation.ts';
import { endsWithQuestion, hasDate, type TimeOfUnits } from './unit-form.ts';

export interface RerankContext extends Ordering {
  readonly question: Question;
  readonly lexical: Pick<LexicalEncoder, 'sequence'>;
  readonly time: TimeOfUnits;
}

export interface Ranked extends Candidate {
  /** 0 to 1, higher is better. */
  readonly score: number;
  /** The parts of the score: the activation and the factors that are not 1. */
  readonly parts: Readonly<Record<string, number>>;
}

const dayMs = 86_400_000;
const maxRepetitions = 4;

/**
 * Sorts by activation and by other properties of a unit: its speaker, its dates, how recent and how frequent it is.
 * @param candidates the best first, so that only those are read for pairs of words
 */
export function rerank(candidates: readonly Candidate[], context: RerankContext): Ranked[] {
  const speakers = speakerFactors(candidates, context.question);
  const all = candidates.map((each, index) => {
    const factors = { ...factorsOf(each, context, speakers), ...(index < mostRead && pairFactor(each, context)) };
    return ranked(each, factors, sharesOf(each, context));
  });
  return inOrder(context.question.asksForLatest ? preferringLatest(all, context.question) : all, context);
}

/** Sorts by activation alone. */
export function withoutRerank(candidates: readonly Candidate[], ordering: Ordering): Ranked[] {
  return inOrder(
    candidates.map((each) => ranked(each, {})),
    ordering,
  );
}

/**
 * The factors of the speakers whom a question names, or of the user in one such as "When did I move?"; none if those are
 * all speakers.
 */
function speakerFactors(candidates: readonly Candidate[], question: Question): ReadonlyMap<string, number> {
  const speakers = new Set(candidates.flatMap(({ unit }) => speakerOfUnit(unit) ?? []));
  const named = [...speakers].filter((speaker) => names(question, speaker));
  const isAboutAsker = named.length === 0 && question.isInFirstPerson;
  const meant = isAboutAsker ? [...speakers].filter(isUserRole) : named;
  const factor = isAboutAsker ? rerankFactors.asker : rerankFactors.namedSpeaker;
  return new Map(meant.length < speakers.size ? meant.map((speaker) => [speaker, factor]) : []);
}

function factorsOf(
  { id, unit }: Candidate,
  { question, time, without }: RerankContext,
  speakers: ReadonlyMap<string, number>,
): Record<string, number> {
  const has = (part: SearchPart) => !without.has(part);
  const factors: Record<string, number> = {};
  const speaker = speakerOfUnit(unit) ?? '';
  const bySpeaker = speakers.get(speaker);
  if (has('speaker') && bySpeaker !== undefined) factors.named_speaker = bySpeaker;
  if (has('questions') && endsWithQuestion(unit.text) && !isUserRole(speaker))
    factors.question = rerankFactors.question;
  if (has('dates') && question.asksWhen && hasDate(unit.text)) factors.dated = rerankFactors.dated;
  if (has('window') && isWithin(unit.eventDate, question.window)) factors.window = rerankFactors.window;
  if (has('window') && time.elsewhere.has(id)) factors.other_time = rerankFactors.otherTime;
  const days = Math.abs(question.askedAt - unit.eventDate.getTime()) / dayMs;
  factors.recency = 1 + (rerankFactors.recency - 1) / (1 + days / 365);
  if (unit.mentions > 1) factors.frequency = rerankFactors.frequency ** Math.min(maxRepetitions, unit.mentions - 1);
  return factors;
}

/** Reading words takes 16 µs for a unit of 1,000 characters, and thousands of units may be visited. */
const mostRead = 200;

function pairFactor({ unit: { text } }: Candidate, { question, lexical, without }: RerankContext): { pairs?: number } {
  const { none, all } = pairsByLength;
  const long = Math.min(1, (text.length - none) / (all - none));
  if (long <= 0 || without.has('pairs')) return {};
  const shared = shareOfPairs(question.pairs, lexical.sequence(text));
  return shared === 0 ? {} : { pairs: 1 + (rerankFactors.pairs - 1) * long * shared };
}

/**
 * The question asks for what is so now: of those that match it about equally well, the newest count most, and what is to come
 * as much as they do.
 */
function preferringLatest(all: readonly Ranked[], { askedAt }: Question): Ranked[] {
  // A question that is asked on a day, without a time, may be about all of that day.
  const end = askedAt + dayMs;
  const best = all.reduce((most, { score }) => Math.max(most, score), 0);
  const isNear = ({ score }: Ranked) => score >= latest.near * best;
  const timeOf = ({ unit }: Ranked) => Math.min(unit.eventDate.getTime(), end);
  const times = [...new Set(all.filter(isNear).map(timeOf))].sort((left, right) => left - right);
  const newer = new Map(times.map((time, index) => [time, (index + 1) / times.length]));
  return all.map((each) => {
    if (!isNear(each)) return each;
    const factor = 1 + (latest.factor - 1) * (newer.get(timeOf(each)) ?? 0);
    return { ...each, score: each.score * factor, parts: { ...each.parts, latest: factor } };
  });
}

/** What a unit gets for what the question names, beside its activation. */
function sharesOf({ id, unit }: Candidate, { time, without, question }: RerankContext): Record<string, number> {
  const ofTime = time.ofTime.has(id) ? timeShare : time.inTime.has(id) ? timeShare / 2 : 0;
  return {
    ...(ofTime > 0 && !without.has('window') && { time: ofTime }),
    ...(question.identified?.(unit.text) === 'asked' && { identifier: identifierShare }),
  };
}

function ranked(candidate: Candidate, factors: Record<string, number>, shares: Record<string, number> = {}): Ranked {
  const activation = Object.values(shares).reduce((sum, share) => sum + share, activationOf(candidate.activation));
  const raw = Object.values(factors).reduce((product, factor) => product * factor, activation);
  return { ...candidate, score: raw, parts: { ...candidate.activation, ...shares, ...factors } };
}

/** Maps any activation to a value between 0 and 1 and keeps the order. */
export function towardsOne(activation: number): number {
  return activation / (1 + activation);
}

/** Best first, always in the same order; the scores of all are mapped to 0 to 1. */
function inOrder(candidates: readonly Ranked[], { without, keeps }: Ordering): Ranked[] {
  const wanted = candidates.filter(({ score, unit }) => score > 0 || keeps?.(unit._id));
  const found = wanted.map((each) => ({ ...each, id: each.unit._id }));
  return diversify(found, without.has('diversity') ? 1 : diversity.results).map(({ share, ...each }) => ({
    ...each,
    score: towardsOne(each.score),
    parts: share === 1 ? each.parts : { ...each.parts, diversity: share },
  }));
}
