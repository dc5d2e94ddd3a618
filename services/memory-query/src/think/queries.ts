import { agentKey, type memoryQuery, type ReplyOf } from '@mneme/contracts';
import type { AgentCharacter, HeldOpinion, Thinker, ThinkFact } from '@mneme/models';
import { characterOf } from '../agents/queries.ts';
import type { Removals } from '../read-model/removals.ts';
import type { SearchDeps } from '../search/search.ts';
import { type Question, type Remembered, type RememberedFact, remember } from './remember.ts';

export type RecallDeps = SearchDeps & { readonly removals: Removals };

export interface Think extends Question {
  /** Added to the question by the caller. */
  readonly context: string | null;
}

/** An answer and what it is based on. */
type Thought = Omit<ReplyOf<typeof memoryQuery.think>, 'readAt'>;

/** What an answer is made from. */
export interface Knowledge {
  readonly agent: AgentCharacter;
  readonly remembered: Remembered;
  readonly opinions: readonly HeldOpinion[];
}

export interface Moment {
  /** ISO 8601; its offset is that of the days in the answer. */
  readonly now: string;
  readonly signal: AbortSignal;
}

/** Reads what the agent is like, and its experiences, facts of the world and opinions that a question is about. */
export async function recallFor(deps: RecallDeps, question: Question, { now, signal }: Moment): Promise<Knowledge> {
  const [agent, remembered] = await Promise.all([
    characterOf(deps.collections, agentKey(question)),
    remember(deps, question, now, signal),
  ]);
  return { agent, remembered, opinions: await withConfidence(deps, remembered.opinion) };
}

/**
 * Answers a question as the agent. Changes nothing.
 * @throws ModelError when the model gives no answer
 */
export async function think(
  thinker: Thinker,
  { query, context }: Think,
  { agent, remembered, opinions }: Knowledge,
  { now, signal }: Moment,
): Promise<Thought> {
  const { world, agent: experiences, opinion } = remembered;
  const facts = { worldFacts: world.map(asFact), agentFacts: experiences.map(asFact) };
  const text = await thinker.think({ query, context, agent, ...facts, opinions, now }, signal);
  const { name, promptVersion } = thinker;
  const basedOn = [...world, ...experiences, ...opinion].map(({ fact }) => fact);
  return { text, basedOn, agent, thinker: name, promptVersion };
}

async function withConfidence(
  { collections }: RecallDeps,
  opinions: readonly RememberedFact[],
): Promise<HeldOpinion[]> {
  if (opinions.length === 0) return [];
  const ids = opinions.flatMap(({ fact }) => fact.id ?? []);
  const rows = await collections.units.find({ _id: { $in: ids } }, { projection: { confidence: 1 } }).toArray();
  const confidences = new Map<string | null, number | null>(rows.map(({ _id, confidence }) => [_id, confidence]));
  return opinions.map((opinion) => ({ ...asFact(opinion), confidence: confidences.get(opinion.fact.id) ?? null }));
}

function asFact({ fact, score, relevance }: RememberedFact): ThinkFact {
  return { text: fact.text, eventDate: fact.event_date, score, relevance };
}
