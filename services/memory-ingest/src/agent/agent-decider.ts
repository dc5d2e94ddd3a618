import {
  type AgentRef,
  defaultBackground,
  defaultPersonality,
  type MemoryEvent,
  type MemoryEventOf,
  type Personality,
} from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';
import type { Traits } from '@mneme/models';

export type AgentEvent = MemoryEventOf<
  'AgentCreated' | 'PersonalityChanged' | 'BackgroundReplaced' | 'BackgroundMerged'
>;

/** Who an agent is. */
export interface Agent {
  readonly exists: boolean;
  readonly personality: Personality;
  readonly background: string;
}

/** Gives what is to be replaced; null keeps it. With both null the agent is only made to exist. */
export interface PutAgent {
  readonly type: 'PutAgent';
  readonly agent: AgentRef;
  readonly personality: Personality | null;
  readonly background: string | null;
}

/** Gives what a model has made of the background that the agent has. */
export interface MergeBackground {
  readonly type: 'MergeBackground';
  readonly agent: AgentRef;
  readonly merge: Omit<MemoryEventOf<'BackgroundMerged'>['data'], 'space' | 'agentId'>;
  /** What it tells about the personality; undefined keeps it. The bias strength is kept in any case. */
  readonly traits: Traits | undefined;
}

export const agentDecider: Decider<Agent, PutAgent | MergeBackground, MemoryEvent> = {
  initialState: { exists: false, personality: defaultPersonality, background: defaultBackground },
  decide: (command, agent) => [...created(command.agent, agent), ...changed(command, agent)],
  evolve,
};

function created({ space, agentId }: AgentRef, { exists }: Agent): readonly AgentEvent[] {
  return exists ? [] : [{ type: 'AgentCreated', data: { space, agentId } }];
}

function changed(command: PutAgent | MergeBackground, current: Agent): readonly AgentEvent[] {
  const { space, agentId } = command.agent;
  const ref = { space, agentId };
  if (command.type === 'PutAgent') {
    const { personality, background } = command;
    const isKept = background === null || background === current.background;
    const replaced: AgentEvent[] = isKept ? [] : [{ type: 'BackgroundReplaced', data: { ...ref, background } }];
    return [...personalityChanged(ref, personality, current), ...replaced];
  }
  const { merge, traits } = command;
  const isKept = merge.background === current.background;
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
    case 'BackgroundReplaced':
    case 'BackgroundMerged':
      return { ...agent, exists: true, background: event.data.background };
    case 'AgentErased':
      return agentDecider.initialState;
    default:
      throw new Error(`${event.type} does not belong to an agent`);
  }
}

function samePersonality(left: Personality, right: Personality): boolean {
  return (Object.keys(defaultPersonality) as (keyof Personality)[]).every((trait) => left[trait] === right[trait]);
}
