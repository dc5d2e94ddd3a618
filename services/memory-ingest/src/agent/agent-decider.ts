import {
  type AgentRef,
  defaultBackground,
  defaultPersonality,
  type MemoryEvent,
  type MemoryEventOf,
  type Personality,
} from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';

export type AgentEvent = MemoryEventOf<'AgentCreated' | 'PersonalityChanged' | 'BackgroundReplaced' | 'AgentErased'>;

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

export const agentDecider: Decider<Agent, PutAgent, MemoryEvent> = {
  initialState: { exists: false, personality: defaultPersonality, background: defaultBackground },
  decide,
  evolve,
};

function decide({ agent, personality, background }: PutAgent, current: Agent): readonly AgentEvent[] {
  const ref = { space: agent.space, agentId: agent.agentId };
  const events: AgentEvent[] = [];
  if (!current.exists) events.push({ type: 'AgentCreated', data: ref });
  if (personality && !samePersonality(personality, current.personality)) {
    events.push({ type: 'PersonalityChanged', data: { ...ref, personality } });
  }
  if (background !== null && background !== current.background) {
    events.push({ type: 'BackgroundReplaced', data: { ...ref, background } });
  }
  return events;
}

function evolve(agent: Agent, event: MemoryEvent): Agent {
  switch (event.type) {
    case 'AgentCreated':
      return { ...agent, exists: true };
    case 'PersonalityChanged':
      return { ...agent, exists: true, personality: event.data.personality };
    case 'BackgroundReplaced':
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
