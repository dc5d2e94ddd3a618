import { agentKey, type ThinkFactReply } from '@mneme/contracts';
import type { AgentCharacter, HeldOpinion, Thinker, ThinkFact } from '@mneme/models';
import { characterOf } from '../agents/queries.ts';
import type { Removals } from '../read-model/removals.ts';
import type { SearchDeps } from '../search/search.ts';
import { type Question, type RememberedFact, remember } from './remember.ts';

export interface ThinkDeps extends SearchDeps {
  readonly removals: Removals;
  readonly thinker: Thinker;
  readonly clock: () => Date;
}

export interface Think extends Question {
  /** Added to the question by the caller. */
  readonly context: string | null;
}

/** An answer and what it is based on. */
export interface Thought {
  readonly text: string;
  /** What the model received: world, then agent, then opinion. */
  readonly basedOn: ThinkFactReply[];
  readonly agent: AgentCharacter;
  readonly thinker: string;
  readonly promptVersion: string;
}

/**
 * Answers a question as the agent, from its experiences, its facts of the world and its opinions. Changes nothing.
 * @throws ModelError when the model gives no answer
 */
export async function think(deps: ThinkDeps, request: Think, signal: AbortSignal): Promise<Thought> {
  const { thinker, collections } = deps;
  const { context, ...question } = request;
  const now = deps.clock().toISOString();
  const [agent, { world, agent: experiences, opinion }] = await Promise.all([
    characterOf(collections, agentKey(request)),
    remember(deps, question, now, signal),
  ]);
  const facts = { worldFacts: world.map(asFact), agentFacts: experiences.map(asFact) };
  const opinions = await withConfidence(deps, opinion);
  const text = await thinker.think({ query: request.query, context, agent, ...facts, opinions, now }, signal);
  const { name, promptVersion } = thinker;
  const basedOn = [...world, ...experiences, ...opinion].map(({ fact }) => fact);
  return { text, basedOn, agent, thinker: name, promptVersion };
}

async function withConfidence({ collections }: ThinkDeps, opinions: readonly RememberedFact[]): Promise<HeldOpinion[]> {
  if (opinions.length === 0) return [];
  const ids = opinions.flatMap(({ fact }) => fact.id ?? []);
  const rows = await collections.units.find({ _id: { $in: ids } }, { projection: { confidence: 1 } }).toArray();
  const confidences = new Map<string | null, number | null>(rows.map(({ _id, confidence }) => [_id, confidence]));
  return opinions.map((opinion) => ({ ...asFact(opinion), confidence: confidences.get(opinion.fact.id) ?? null }));
}

function asFact({ fact, score, relevance }: RememberedFact): ThinkFact {
  return { text: fact.text, eventDate: fact.event_date, score, relevance };
}
