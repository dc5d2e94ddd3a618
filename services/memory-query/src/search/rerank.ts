import { type Activated, totalOf } from './activation.ts';
import { isWithin, names, type Question } from './question.ts';
import { rerankFactors, type SearchPart, type SearchSettings } from './search-settings.ts';
import { endsWithQuestion, hasDate } from './unit-form.ts';

export interface RerankContext {
  readonly question: Question;
  readonly settings: SearchSettings;
}

export interface Ranked extends Activated {
  /** 0 to 1, higher is better. */
  readonly score: number;
  /** The parts of the score: the activation and the factors that are not 1. */
  readonly parts: Readonly<Record<string, number>>;
}

const dayMs = 86_400_000;
const maxRepetitions = 4;

/** Sorts by activation and by other properties of a unit: its speaker, its dates, how recent and how frequent it is. */
export function rerank(candidates: readonly Activated[], context: RerankContext): Ranked[] {
  const speakers = new Set(candidates.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker])));
  const named = new Set([...speakers].filter((speaker) => names(context.question, speaker)));
  // If all speakers are named, the name is not significant.
  const telling = named.size < speakers.size ? named : new Set<string>();
  return inOrder(candidates.map((each) => ranked(each, factorsOf(each, context, telling))));
}

/** Sorts by activation alone. */
export function withoutRerank(candidates: readonly Activated[]): Ranked[] {
  return inOrder(candidates.map((each) => ranked(each, {})));
}

function factorsOf({ unit, speaker }: Activated, context: RerankContext, named: ReadonlySet<string>) {
  const { question, settings } = context;
  const has = (part: SearchPart) => !settings.without.has(part);
  const date = unit.eventDate.getTime();
  const factors: Record<string, number> = {};
  if (has('speaker') && speaker !== undefined && named.has(speaker)) factors.named_speaker = rerankFactors.namedSpeaker;
  if (has('questions') && endsWithQuestion(unit.text)) factors.question = rerankFactors.question;
  if (has('dates') && question.asksWhen && hasDate(unit.text)) factors.dated = rerankFactors.dated;
  if (has('window') && isWithin(unit.eventDate, question.window)) factors.window = rerankFactors.window;
  factors.recency = 1 + (rerankFactors.recency - 1) / (1 + Math.abs(question.askedAt - date) / dayMs / 365);
  if (unit.mentions > 1) factors.frequency = rerankFactors.frequency ** Math.min(maxRepetitions, unit.mentions - 1);
  return factors;
}

function ranked(candidate: Activated, factors: Record<string, number>): Ranked {
  const { match: _, passageMatch: __, ...parts } = candidate.activation;
  const raw = Object.values(factors).reduce((product, factor) => product * factor, totalOf(candidate.activation));
  return { ...candidate, score: towardsOne(raw), parts: { ...parts, ...factors } };
}

/** Maps any activation to a value between 0 and 1 and keeps the order. */
export function towardsOne(activation: number): number {
  return activation / (1 + activation);
}

/** Best first, always in the same order. */
function inOrder(candidates: readonly Ranked[]): Ranked[] {
  return candidates
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || (left.unit._id < right.unit._id ? -1 : 1));
}
