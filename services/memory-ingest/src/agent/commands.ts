import {
  type AgentProfile,
  type AgentRef,
  agentKey,
  type MemoryEvent,
  type memoryIngest,
  memoryQuery,
  memorySubjects,
  type ReplyOf,
  type RequestOf,
} from '@mneme/contracts';
import {
  contended,
  type EventContext,
  type EventStore,
  type ExecuteOptions,
  execute,
  formatPosition,
  newestStore,
  type Recorded,
  type StateCache,
} from '@mneme/event-store';
import type { BackgroundWriter } from '@mneme/models';
import type { KeyedMutex } from '@mneme/workers/keyed-mutex';
import { bestEffort, type ModelContext } from '../best-effort.ts';
import type { MemoryIngestDeps } from '../deps.ts';
import {
  type Agent,
  type AgentChange,
  agentDecider,
  assertNotTooLarge,
  type MergeBackground,
  mergeDecider,
} from './decider.ts';

/** Creates the agent if necessary and replaces what is given; `position` is null when nothing had to change. */
export async function putAgent(
  store: EventStore<MemoryEvent>,
  agent: AgentRef,
  change: AgentChange,
  context: EventContext,
  options: Pick<ExecuteOptions<Agent>, 'cache'> = {},
): Promise<{ profile: AgentProfile; position: string | null }> {
  const command = { type: 'PutAgent', agent, ...change } as const;
  const subject = memorySubjects.agent(agent);
  // What a replica lacks would be taken for what is wanted already.
  const { state, position } = await execute(newestStore(store), agentDecider, subject, command, context, {
    ...contended,
    ...options,
    signal: context.signal,
  });
  return { profile: profileOf(agent, state), position: position ? formatPosition(position) : null };
}

/** Creates the agent if it does not exist. Of its history only the last event is read. */
export async function createIfAbsent(
  store: EventStore<MemoryEvent>,
  { space, agentId }: AgentRef,
  context: EventContext,
): Promise<void> {
  const command = { type: 'PutAgent', agent: { space, agentId }, personality: null, background: null } as const;
  const subject = memorySubjects.agent(command.agent);
  await execute(store, agentDecider, subject, command, context, { history: 'last' });
}

export interface EnsureAgentDeps extends Pick<MemoryIngestDeps, 'store' | 'client' | 'logger'> {
  readonly cache: StateCache<Agent>;
}

/** The read model waits 5 s at most; after this time, in milliseconds, the history is read instead. */
const queryTimeoutMs = 2_000;

/**
 * Returns the profile of an agent and creates the agent if it does not exist. For an existing agent nothing is appended and
 * its history is not read: a cached state needs only the events after it, otherwise the read model is asked for the state
 * after the agent's last event. A reader therefore sees every change that was acknowledged before. The history is read only
 * when the read model is behind or unavailable.
 */
export async function ensureAgent(
  deps: EnsureAgentDeps,
  agent: AgentRef,
  context: EventContext,
): Promise<{ profile: AgentProfile; position: string | null }> {
  const { store, cache } = deps;
  const subject = memorySubjects.agent(agent);
  if (!cache.get(subject)) {
    const last = await store.last(subject);
    const exists = last !== undefined && last.type !== 'AgentErased';
    const profile = exists ? await readProfile(deps, agent, last.position.sequence, context) : undefined;
    if (profile) return { profile, position: null };
  }
  return putAgent(store, agent, { personality: null, background: null }, context, { cache });
}

/** The profile in the read model once it has applied `minSequence`; undefined when it cannot answer. */
async function readProfile(
  { client, logger }: EnsureAgentDeps,
  { space, agentId }: AgentRef,
  minSequence: number,
  context: EventContext,
): Promise<AgentProfile | undefined> {
  const options = { ...context, timeoutMs: queryTimeoutMs };
  try {
    const { agents } = await client.request(memoryQuery.listAgents, { space, agentId, limit: 1, minSequence }, options);
    const found = agents.find(({ agent_id }) => agent_id === agentId);
    return found && profileOf({ agentId }, found);
  } catch (error) {
    logger.debug({ err: error, requestId: context.correlationId }, 'The read model gave no profile');
    return undefined;
  }
}

export interface AddBackgroundDeps extends Pick<MemoryIngestDeps, 'store' | 'logger'> {
  readonly writer: BackgroundWriter;
  /** Serializes the merges of one agent: of two at once, one would lose its model call to a conflict. */
  readonly mutex: KeyedMutex;
  readonly cache?: StateCache<Agent>;
  readonly clock: () => Date;
}

type BackgroundAddition = RequestOf<typeof memoryIngest.addBackground>;
type MergedBackground = ReplyOf<typeof memoryIngest.addBackground>;

/** How often a merge is repeated when other instances have changed the agent meanwhile. */
const maxMergeAttempts = 5;

/**
 * Merges an addition into the background of an agent, so that concurrent additions all end up in it. If requested, infers
 * the traits from the result; if that fails, the traits stay as they were and the merge is stored all the same.
 * @throws ModelError when the model cannot merge; DomainError `background-too-large` when the result is too long
 */
export function addBackground(
  given: AddBackgroundDeps,
  addition: BackgroundAddition,
  context: ModelContext,
): Promise<MergedBackground> {
  // A merge of what a replica lacks something of would only be made again after a conflict, with another model call.
  const deps = { ...given, store: newestStore(given.store) };
  if (addition.preview) return previewBackground(deps, addition, context);
  return deps.mutex.run(agentKey(addition), async () => {
    const { mergeId } = addition;
    const subject = memorySubjects.agent(addition);
    const mergeInto = (agent: Agent) => merge(deps, addition, agent, context);
    const command = { type: 'AddBackground', mergeId, merge: mergeInto } as const;
    const options = { attempts: maxMergeAttempts, signal: context.signal, ...(deps.cache && { cache: deps.cache }) };
    const { state, position } = await execute(deps.store, mergeDecider, subject, command, context, options);
    const { background, personality } = state;
    if (position) return { background, personality, position: formatPosition(position) };
    const earlier = await earlierMerge(deps.store, subject, state, mergeId);
    return { background, personality, position: null, ...earlier };
  });
}

/** What an addition would make of the agent as it is. */
async function previewBackground(
  deps: AddBackgroundDeps,
  addition: BackgroundAddition,
  context: ModelContext,
): Promise<MergedBackground> {
  const { evolve, initialState } = agentDecider;
  const { state } = await deps.store.fold(memorySubjects.agent(addition), evolve, initialState);
  const { merge: merged, traits } = await merge(deps, addition, state, context);
  const { bias_strength } = state.personality;
  const personality = traits ? { ...traits, bias_strength } : state.personality;
  return { background: merged.background, personality, position: null };
}

async function merge(
  { writer, clock, logger }: AddBackgroundDeps,
  { space, agentId, content, mergeId, updatePersonality }: BackgroundAddition,
  agent: Agent,
  context: ModelContext,
): Promise<MergeBackground> {
  const current = agent.background;
  const isEmpty = content.trim() === '';
  const background = isEmpty ? current : await writer.merge({ current, addition: content }, context.signal);
  // Checked before the next model call.
  if (background !== current) assertNotTooLarge(background);
  const inferTraits = (signal: AbortSignal) => writer.inferTraits(background, signal);
  const traits = updatePersonality
    ? await bestEffort({ ...context, what: 'traits of a personality' }, { clock, logger }, inferTraits)
    : undefined;
  const { name, promptVersion } = writer;
  const merged = { mergeId, addition: content, background, writer: name, promptVersion };
  return { type: 'MergeBackground', agent: { space, agentId }, merge: merged, traits };
}

/** The result of an earlier run of the same request. */
async function earlierMerge(
  store: EventStore<MemoryEvent>,
  subject: string,
  { mergeIds }: Agent,
  mergeId: string,
): Promise<{ background: string; position: string } | undefined> {
  if (!mergeIds?.includes(mergeId)) return undefined;
  type Found = { background: string; position: string } | undefined;
  const find = (found: Found, event: Recorded<MemoryEvent>): Found => {
    if (event.type !== 'BackgroundMerged' || event.data.mergeId !== mergeId) return found;
    return { background: event.data.background, position: formatPosition(event.position) };
  };
  return (await store.fold<Found>(subject, find, undefined)).state;
}

function profileOf(
  { agentId }: Pick<AgentRef, 'agentId'>,
  { personality, background }: Pick<Agent, 'personality' | 'background'>,
): AgentProfile {
  return { agent_id: agentId, personality, background };
}
