import { type AgentProfile, type AgentRef, type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import type { EventContext, EventStore, StateCache } from '@mneme/event-store';
import type { Client, Logger } from '@mneme/service-kit';
import type { Agent } from './decider.ts';
import { putAgent } from './put-agent.ts';

export interface EnsureAgentDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly client: Client;
  /** States of agents that were read before. */
  readonly cache: StateCache<Agent>;
  readonly logger: Logger;
}

/** The read model waits 5 s at most; a history is read when it takes longer than this, in milliseconds. */
const queryTimeoutMs = 2_000;

/**
 * Gives the profile of an agent, and makes the agent when it is absent. For one that exists nothing is appended, and its
 * history is not read: a cached state needs what came after it only, and else the read model is asked as it is after the
 * agent's last event. So a reader sees every change that was acknowledged before. When the read model is behind or away,
 * the history is read after all.
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

/** As the read model has it when it has seen the event at `minSequence`; undefined when it cannot say. */
async function readProfile(
  { client, logger }: EnsureAgentDeps,
  { space, agentId }: AgentRef,
  minSequence: number,
  context: EventContext,
): Promise<AgentProfile | undefined> {
  const asked = { ...context, deadlineMs: queryTimeoutMs };
  try {
    const { agents } = await client.call(memoryQuery.listAgents, { space, agentId, limit: 1, minSequence }, asked);
    const found = agents.find(({ agent_id }) => agent_id === agentId);
    return found && profileOf({ space, agentId }, found);
  } catch (error) {
    logger.debug({ err: error, requestId: context.correlationId }, 'The read model gave no profile');
    return undefined;
  }
}

function profileOf(
  { agentId }: AgentRef,
  { personality, background }: Pick<Agent, 'personality' | 'background'>,
): AgentProfile {
  return { agent_id: agentId, personality, background };
}
