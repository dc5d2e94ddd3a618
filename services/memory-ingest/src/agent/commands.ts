import type { AgentRef, MemoryEvent, Personality } from '@mneme/contracts';
import { agentKey, memorySubjects } from '@mneme/contracts';
import {
  type EventContext,
  type EventStore,
  execute,
  formatPosition,
  type Recorded,
  type StateCache,
} from '@mneme/event-store';
import type { BackgroundWriter } from '@mneme/models';
import type { Logger } from '@mneme/service-kit';
import { bestEffort } from '../models/best-effort.ts';
import type { KeyedMutex } from '../models/keyed-mutex.ts';
import { type Agent, assertNotTooLarge, type MergeBackground } from './decider.ts';
import { mergeDecider } from './merge-decider.ts';

export interface BackgroundDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly writer: BackgroundWriter;
  /** Two merges of one agent at once would each lose the work of a model to the other. */
  readonly mutex: KeyedMutex;
  /** States of agents that were read before. */
  readonly cache?: StateCache<Agent>;
  readonly clock: () => Date;
  readonly logger: Logger;
}

export interface BackgroundAddition extends AgentRef {
  readonly content: string;
  readonly updatePersonality: boolean;
  /** Names the request; a second one of the same name changes nothing. */
  readonly mergeId: string;
}

export interface MergedBackground {
  readonly background: string;
  readonly personality: Personality;
  /** Null when nothing had to change. */
  readonly position: string | null;
}

type RequestContext = EventContext & { readonly deadline: number; readonly signal: AbortSignal };

/** How often a merge is done again when other instances changed the agent meanwhile. */
const maxAttempts = 5;

/**
 * Merges an addition into the background of an agent, so that additions at the same time all end up in it. When asked to,
 * infers the traits from the result; where that fails they stay as they were, and the merge holds.
 * @throws ModelError when the model cannot merge; DomainError `background-too-large` when the result is too long
 */
export function addBackground(
  deps: BackgroundDeps,
  addition: BackgroundAddition,
  context: RequestContext,
): Promise<MergedBackground> {
  return deps.mutex.take(agentKey(addition), async () => {
    const { mergeId } = addition;
    const subject = memorySubjects.agent(addition);
    const command = {
      type: 'AddBackground',
      mergeId,
      merge: (agent: Agent) => merge(deps, addition, agent, context),
    } as const;
    const options = { attempts: maxAttempts, signal: context.signal, ...(deps.cache && { cache: deps.cache }) };
    const { state, position } = await execute(deps.store, mergeDecider, subject, command, context, options);
    if (position) return { ...profileOf(state), position: formatPosition(position) };
    const earlier = await earlierMerge(deps.store, subject, state, mergeId);
    return { ...profileOf(state), ...(earlier ?? { position: null }) };
  });
}

async function merge(
  deps: BackgroundDeps,
  { space, agentId, content, mergeId, updatePersonality }: BackgroundAddition,
  agent: Agent,
  context: RequestContext,
): Promise<MergeBackground> {
  const { writer } = deps;
  const background = await mergedText(writer, agent.background, content, context.signal);
  // Before another model is asked about it.
  if (background !== agent.background) assertNotTooLarge(background);
  const traits = updatePersonality ? await inferredTraits(deps, background, context) : undefined;
  const by = { writer: writer.name, promptVersion: writer.promptVersion };
  const merged = { mergeId, addition: content, background, ...by };
  return { type: 'MergeBackground', agent: { space, agentId }, merge: merged, traits };
}

/** What an earlier run of the same request has done. */
async function earlierMerge(
  store: EventStore<MemoryEvent>,
  subject: string,
  { mergeIds }: Agent,
  mergeId: string,
): Promise<(Pick<MergedBackground, 'background'> & { position: string }) | undefined> {
  if (!mergeIds?.includes(mergeId)) return undefined;
  type Found = { background: string; position: string } | undefined;
  const isThis = (found: Found, event: Recorded<MemoryEvent>): Found => {
    if (event.type !== 'BackgroundMerged' || event.data.mergeId !== mergeId) return found;
    return { background: event.data.background, position: formatPosition(event.position) };
  };
  return (await store.fold<Found>(subject, isThis, undefined)).state;
}

async function mergedText(writer: BackgroundWriter, current: string, addition: string, signal: AbortSignal) {
  return addition.trim() === '' ? current : await writer.merge({ current, addition }, signal);
}

function inferredTraits(deps: BackgroundDeps, background: string, context: RequestContext) {
  const what = 'traits of a personality';
  return bestEffort({ ...context, what }, deps, (signal) => deps.writer.inferTraits(background, signal));
}

function profileOf({ background, personality }: Agent): Pick<MergedBackground, 'background' | 'personality'> {
  return { background, personality };
}
