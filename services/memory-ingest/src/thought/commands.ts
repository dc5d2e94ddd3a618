import type { AgentRef, MemoryEvent, MemoryEventOf, RecordedOpinion } from '@mneme/contracts';
import { memoryStream, memorySubjects } from '@mneme/contracts';
import { type EventContext, type EventStore, execute, formatPosition } from '@mneme/event-store';
import type { AgentCharacter, EmbeddingModel, OpinionFormer } from '@mneme/models';
import type { Logger } from '@mneme/service-kit';
import { embedAll } from '../embedding/embed-all.ts';
import { bestEffort } from '../models/best-effort.ts';
import { thoughtDecider } from './decider.ts';

export interface ThoughtDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly models: { readonly opinions: OpinionFormer; readonly embeddings: EmbeddingModel };
  readonly clock: () => Date;
  readonly logger: Logger;
}

/** An answer that was given, and all that its opinions are found by. */
export interface Thought extends AgentRef {
  readonly thoughtId: string;
  readonly query: string;
  readonly answer: string;
  readonly basedOn: readonly string[];
  readonly knownOpinions: readonly string[];
  readonly agent: AgentCharacter;
  readonly thinker: string;
  readonly promptVersion: string;
}

type RequestContext = EventContext & { readonly deadline: number; readonly signal: AbortSignal };

/** What stands in the log of a thought. */
export interface RecordedThought {
  readonly answer: string;
  readonly basedOn: string[];
  readonly newOpinions: string[];
  readonly position: string;
}

/**
 * Finds the opinions in an answer and records both. A thought that is recorded already stays as it is, and no model is
 * asked. When no opinions can be formed, the answer is recorded without.
 */
export async function recordThought(
  deps: ThoughtDeps,
  thought: Thought,
  context: RequestContext,
): Promise<RecordedThought> {
  const subject = memorySubjects.thought(thought, thought.thoughtId);
  let formed: Promise<readonly MemoryEventOf<'OpinionsFormed'>[]> | undefined;
  // The answer is not to be lost because its opinions cannot be had.
  const form = async () => {
    const what = 'opinions of an answer';
    return (await bestEffort({ ...context, what }, deps, (signal) => formOpinions(deps, thought, signal))) ?? [];
  };
  const formOnce = () => {
    formed ??= form();
    return formed;
  };
  const command = { type: 'RecordThought', answered: questionAnswered(thought), formOpinions: formOnce } as const;
  const { state, revision } = await execute(deps.store, thoughtDecider, subject, command, context);
  if (!state) throw new Error('A thought that is recorded has no events');
  const position = formatPosition({ stream: memoryStream.name, sequence: revision });
  return { answer: state.answer, basedOn: [...state.basedOn], newOpinions: [...state.newOpinions], position };
}

async function formOpinions(
  { models, clock }: ThoughtDeps,
  { space, agentId, thoughtId, query, answer, agent, knownOpinions }: Thought,
  signal: AbortSignal,
): Promise<MemoryEventOf<'OpinionsFormed'>[]> {
  const { opinions: former, embeddings } = models;
  const formed = await former.form({ query, answer, agent, knownOpinions }, signal);
  if (formed.length === 0) return [];
  const eventDate = clock().toISOString();
  const dated = formed.map((opinion) => ({ ...opinion, entities: [...opinion.entities], eventDate }));
  const vectors = await embedAll(embeddings, dated, signal);
  const opinions = dated.map((opinion, index): RecordedOpinion => ({ ...opinion, vector: vectors[index] ?? '' }));
  const by = { former: former.name, promptVersion: former.promptVersion, embeddingModel: embeddings.name };
  return [{ type: 'OpinionsFormed', data: { space, agentId, thoughtId, opinions, ...by } }];
}

function questionAnswered(thought: Thought): MemoryEventOf<'QuestionAnswered'> {
  const { space, agentId, thoughtId, query, answer, basedOn, thinker, promptVersion } = thought;
  const data = { space, agentId, thoughtId, query, answer, basedOn: [...basedOn], thinker, promptVersion };
  return { type: 'QuestionAnswered', data };
}
