import {
  type AgentRef,
  agentKey,
  defaultBackground,
  defaultPersonality,
  type MemoryEvent,
  type MemoryEventOf,
  maxBackgroundBytes,
  type Personality,
} from '@mneme/contracts';
import type { AsyncDecider, Decider } from '@mneme/event-store';
import type { Traits } from '@mneme/models';
import { DomainError } from '../errors.ts';

export type AgentEvent = MemoryEventOf<
  'AgentCreated' | 'PersonalityChanged' | 'BackgroundReplaced' | 'BackgroundMerged'
>;

export interface Agent {
  readonly exists: boolean;
  readonly personality: Personality;
  readonly background: string;
  /** The ids of the last 1000 merges into the background; undefined when there was none. */
  readonly mergeIds?: readonly string[];
}

/** Clients resend a request soon after the first attempt, so older ids are not needed. */
const maxMergeIds = 1_000;

/** What of an agent is to be replaced; null keeps it. With both null the agent is only created. */
export interface AgentChange {
  readonly personality: Personality | null;
  readonly background: string | null;
}

export interface PutAgent extends AgentChange {
  readonly type: 'PutAgent';
  readonly agent: AgentRef;
}

/** Stores the background that a model has merged. */
export interface MergeBackground {
  readonly type: 'MergeBackground';
  readonly agent: AgentRef;
  readonly merge: Omit<MemoryEventOf<'BackgroundMerged'>['data'], 'space' | 'agentId'>;
  /** The traits that the new background implies; undefined keeps the present ones. The bias strength is always kept. */
  readonly traits: Traits | undefined;
}

export const agentDecider: Decider<Agent, PutAgent | MergeBackground, MemoryEvent> = {
  initialState: { exists: false, personality: defaultPersonality, background: defaultBackground },
  decide: (command, agent) => [...created(command.agent, agent), ...changed(command, agent)],
  evolve,
};

/** Asks for an addition to be merged into a background by a model. */
export interface AddBackground {
  readonly type: 'AddBackground';
  readonly mergeId: string;
  /** Calls the model with the agent as it is. */
  readonly merge: (agent: Agent) => Promise<MergeBackground>;
}

/** Decides with the help of a model, which is not called for an addition that is already merged. */
export const mergeDecider: AsyncDecider<Agent, AddBackground, MemoryEvent> = {
  ...agentDecider,
  decide: async ({ mergeId, merge }, agent) =>
    agent.mergeIds?.includes(mergeId) ? [] : agentDecider.decide(await merge(agent), agent),
};

export interface EraseAgent {
  readonly type: 'EraseAgent';
  readonly agent: AgentRef;
  /** The types of all events that the log has of the agent, on any subject; undefined for an event without a type. */
  readonly typesInLog: () => Promise<readonly (string | undefined)[]>;
}

/**
 * Decides from the message headers of all the agent's subjects: neither a long history nor an event that cannot be decoded
 * may prevent an erasure.
 */
export const erasureDecider: AsyncDecider<undefined, EraseAgent, MemoryEvent> = {
  initialState: undefined,
  decide: async ({ agent, typesInLog }) => {
    const types = await typesInLog();
    if (types.length === 0) throw new DomainError('agent-not-found');
    if (types.every((type) => type === 'AgentErased')) return [];
    return [{ type: 'AgentErased', data: { space: agent.space, agentKey: agentKey(agent) } }];
  },
  evolve: () => undefined,
};

/** Estimates the memory of a cached agent in bytes: two for each character and about 100 for each id. */
export function agentBytes({ background, mergeIds = [] }: Agent): number {
  return background.length * 2 + mergeIds.length * 100;
}

function created({ space, agentId }: AgentRef, { exists }: Agent): readonly AgentEvent[] {
  return exists ? [] : [{ type: 'AgentCreated', data: { space, agentId } }];
}

function changed(command: PutAgent | MergeBackground, current: Agent): readonly AgentEvent[] {
  const { space, agentId } = command.agent;
  const ref = { space, agentId };
  if (command.type === 'PutAgent') {
    const { personality, background } = command;
    const isKept = background === null || background === current.background;
    if (!isKept) assertNotTooLarge(background);
    const replaced: AgentEvent[] = isKept ? [] : [{ type: 'BackgroundReplaced', data: { ...ref, background } }];
    return [...personalityChanged(ref, personality, current), ...replaced];
  }
  const { merge, traits } = command;
  const isKept = merge.background === current.background;
  if (!isKept) assertNotTooLarge(merge.background);
  const merged: AgentEvent[] = isKept ? [] : [{ type: 'BackgroundMerged', data: { ...ref, ...merge } }];
  const { bias_strength } = current.personality;
  return [...merged, ...personalityChanged(ref, traits ? { ...traits, bias_strength } : null, current)];
}

function personalityChanged(
  ref: AgentRef,
  personality: Personality | null,
  current: Agent,
): readonly MemoryEventOf<'PersonalityChanged'>[] {
  if (personality === null || samePersonality(personality, current.personality)) return [];
  return [{ type: 'PersonalityChanged', data: { ...ref, personality } }];
}

function evolve(agent: Agent, event: MemoryEvent): Agent {
  switch (event.type) {
    case 'AgentCreated':
      return { ...agent, exists: true };
    case 'PersonalityChanged':
      return { ...agent, exists: true, personality: event.data.personality };
    case 'BackgroundMerged': {
      const { background, mergeId } = event.data;
      const mergeIds = [...(agent.mergeIds ?? []), mergeId].slice(-maxMergeIds);
      return { ...agent, exists: true, background, mergeIds };
    }
    case 'BackgroundReplaced':
      return { ...agent, exists: true, background: event.data.background };
    case 'AgentErased':
      return agentDecider.initialState;
    default:
      throw new Error(`${event.type} does not belong to an agent`);
  }
}

/** @throws DomainError `background-too-large` */
export function assertNotTooLarge(background: string): void {
  // Merged backgrounds have no other bound.
  if (Buffer.byteLength(background) <= maxBackgroundBytes) return;
  const message = `The background would have more than ${maxBackgroundBytes} bytes; replace it by a shorter one first`;
  throw new DomainError('background-too-large', message);
}

function samePersonality(left: Personality, right: Personality): boolean {
  return (Object.keys(defaultPersonality) as (keyof Personality)[]).every((trait) => left[trait] === right[trait]);
}
