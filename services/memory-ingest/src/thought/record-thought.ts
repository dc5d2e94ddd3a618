import type { AgentRef, MemoryEvent, MemoryEventOf, RecordedOpinion } from '@mneme/contracts';
import { memorySubjects } from '@mneme/contracts';
import { ConflictError, type EventContext, type EventStore, formatPosition, type Recorded } from '@mneme/event-store';
import type { AgentCharacter, EmbeddingModel, OpinionFormer } from '@mneme/models';
import type { Logger } from '@mneme/service-kit';
import { goodToHave } from '../models/good-to-have.ts';
import { embedAll } from '../vectors/vector-text.ts';

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
  const earlier = await deps.store.load(subject);
  if (earlier.revision > 0) return recorded(earlier.events);
  // The answer is not to be lost because its opinions cannot be had.
  const what = 'opinions of an answer';
  const formed = await goodToHave({ ...context, what }, deps, (signal) => formOpinions(deps, thought, signal));
  const events = [questionAnswered(thought), ...(formed ?? [])];
  try {
    const position = await deps.store.append(subject, events, 0, context);
    return { ...contentOf(events), position: formatPosition(position) };
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    return recorded((await deps.store.load(subject)).events);
  }
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

function recorded(events: readonly Recorded<MemoryEvent>[]): RecordedThought {
  const last = events.at(-1);
  if (!last) throw new Error('A thought that is recorded has no events');
  return { ...contentOf(events), position: formatPosition(last.position) };
}

function contentOf(events: readonly MemoryEvent[]): Omit<RecordedThought, 'position'> {
  const answered = events.find((event) => event.type === 'QuestionAnswered');
  if (!answered) throw new Error('A thought has no answer');
  const newOpinions = events.flatMap((event) =>
    event.type === 'OpinionsFormed' ? event.data.opinions.map(({ text }) => text) : [],
  );
  return { answer: answered.data.answer, basedOn: answered.data.basedOn, newOpinions };
}
