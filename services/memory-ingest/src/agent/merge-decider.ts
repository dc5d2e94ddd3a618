import type { MemoryEvent } from '@mneme/contracts';
import type { AsyncDecider } from '@mneme/event-store';
import { type Agent, agentDecider, type MergeBackground } from './decider.ts';

/** Asks for an addition to be merged into a background by a model. */
export interface AddBackground {
  readonly type: 'AddBackground';
  readonly mergeId: string;
  /** Makes a command of what the model has made of the agent as it is. */
  readonly merge: (agent: Agent) => Promise<MergeBackground>;
}

/** Decides about a background by what a model makes of it. No model is asked for an addition that is merged already. */
export const mergeDecider: AsyncDecider<Agent, AddBackground, MemoryEvent> = {
  ...agentDecider,
  decide: async ({ mergeId, merge }, agent) =>
    agent.mergeIds?.includes(mergeId) ? [] : agentDecider.decide(await merge(agent), agent),
};
