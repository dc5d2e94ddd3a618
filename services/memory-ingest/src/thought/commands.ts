import {
  type MemoryEventOf,
  type memoryIngest,
  memoryQuery,
  memoryStream,
  memorySubjects,
  type RecordedOpinion,
  type ReplyOf,
  type RequestOf,
} from '@mneme/contracts';
import { embedAll } from '@mneme/embedding-model';
import { execute, formatPosition } from '@mneme/event-store';
import type { FormedOpinion } from '@mneme/models';
import { once } from '@mneme/workers/once';
import { createIfAbsent } from '../agent/commands.ts';
import { bestEffort, type ModelContext } from '../best-effort.ts';
import type { MemoryIngestDeps, PresentModels } from '../deps.ts';
import { thoughtDecider } from './decider.ts';

export interface ThoughtDeps extends Pick<MemoryIngestDeps, 'store' | 'client' | 'logger'> {
  readonly models: Pick<PresentModels, 'opinions' | 'embeddings'>;
  readonly clock: () => Date;
}

/** Which opinions an agent holds is worth no longer wait, in milliseconds. */
const heldTimeoutMs = 2_000;

/** An answer that was given, with what is needed to find the opinions in it. */
export type Thought = RequestOf<typeof memoryIngest.recordThought>;

/**
 * Finds the opinions in an answer and records both. A thought that is already recorded stays as it is, and no model is
 * called. If no opinions can be formed, the answer is recorded without them.
 *
 * The agent is created first: a thought whose agent does not exist is one of an agent that was erased meanwhile, and the
 * read model ignores it.
 * @throws DomainError `agent-erased` when `store` is guarded and the agent was erased after `readAt`
 */
export async function recordThought(
  deps: ThoughtDeps,
  thought: Thought,
  context: ModelContext,
): Promise<ReplyOf<typeof memoryIngest.recordThought>> {
  context.signal.throwIfAborted();
  await createIfAbsent(deps.store, thought, context);
  const subject = memorySubjects.thought(thought, thought.thoughtId);
  // Once, also when a conflict makes `execute` decide again.
  const formOpinions = once(async () => {
    const options = { ...context, what: 'opinions of an answer' };
    return (await bestEffort(options, deps, (signal) => opinionsOf(deps, thought, context, signal))) ?? [];
  });
  const command = { type: 'RecordThought', answered: questionAnswered(thought), formOpinions } as const;
  const { state, revision } = await execute(deps.store, thoughtDecider, subject, command, context);
  if (!state) throw new Error('A recorded thought has no events');
  const position = formatPosition({ stream: memoryStream.name, sequence: revision });
  return { answer: state.answer, basedOn: [...state.basedOn], newOpinions: [...state.newOpinions], position };
}

async function opinionsOf(
  deps: ThoughtDeps,
  thought: Thought,
  { correlationId }: ModelContext,
  signal: AbortSignal,
): Promise<MemoryEventOf<'OpinionsFormed'>[]> {
  const { models, clock } = deps;
  const { space, agentId, thoughtId, query, answer, agent, knownOpinions, readAt } = thought;
  const { opinions: former, embeddings } = models;
  const found = await former.form({ query, answer, agent, knownOpinions }, signal);
  if (found.length === 0) return [];
  const eventDate = clock().toISOString();
  const dated = found.map((opinion) => ({ ...opinion, entities: [...opinion.entities], eventDate }));
  // At once: a read model that is slow must take no time from the vectors, without which nothing is stored.
  const [held, vectors] = await Promise.all([
    heldOf(deps, thought, found, { correlationId, signal }),
    embedAll(embeddings, dated, { signal }),
  ]);
  const opinions = dated
    .map((opinion, index): RecordedOpinion => ({ ...opinion, vector: vectors[index] ?? '' }))
    .filter(({ text }) => !held.has(text));
  if (opinions.length === 0) return [];
  const by = { former: former.name, promptVersion: former.promptVersion, embeddingModel: embeddings.name };
  return [{ type: 'OpinionsFormed', data: { space, agentId, thoughtId, opinions, ...by, readAt } }];
}

/**
 * The texts of opinions that the agent holds in the same words; the known ones are only those that the search for the question
 * has found. None as long as the read model does not answer.
 */
async function heldOf(
  { client }: ThoughtDeps,
  { space, agentId }: Thought,
  formed: readonly FormedOpinion[],
  options: { readonly correlationId: string; readonly signal: AbortSignal },
): Promise<ReadonlySet<string>> {
  const request = { space, agentId, texts: formed.map(({ text }) => text) };
  const asked = client.request(memoryQuery.heldOpinions, request, { ...options, timeoutMs: heldTimeoutMs });
  const { texts } = await asked.catch(() => ({ texts: [] as string[] }));
  return new Set(texts);
}

function questionAnswered(thought: Thought): MemoryEventOf<'QuestionAnswered'> {
  const { space, agentId, thoughtId, query, answer, basedOn, thinker, promptVersion, readAt } = thought;
  const data = { space, agentId, thoughtId, query, answer, basedOn, thinker, promptVersion, readAt };
  return { type: 'QuestionAnswered', data };
}
