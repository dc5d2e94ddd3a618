import { type AgentRef, agentKey, type MemoryEvent } from '@mneme/contracts';
import type { AsyncDecider } from '@mneme/event-store';
import { DomainError } from '../errors.ts';

export interface EraseAgent {
  readonly type: 'EraseAgent';
  readonly agent: AgentRef;
  /** The types of all events that the log has of the agent, under whichever subject. */
  readonly typesInLog: () => Promise<readonly (string | undefined)[]>;
}

/**
 * Decides by what the log has of an agent in all its subjects, told by headers alone: neither a long history nor an event
 * that cannot be read may be in the way of an erasure.
 */
export const erasureDecider: AsyncDecider<undefined, EraseAgent, MemoryEvent> = {
  initialState: undefined,
  decide: async ({ agent, typesInLog }) => {
    const types = await typesInLog();
    if (types.length === 0) throw new DomainError('agent-not-found', 'Agent not found');
    if (types.every((type) => type === 'AgentErased')) return [];
    return [{ type: 'AgentErased', data: { space: agent.space, agentKey: agentKey(agent) } }];
  },
  evolve: () => undefined,
};
