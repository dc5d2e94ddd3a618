import { type AgentProfile, type AgentRef, type MemoryEvent, memorySubjects, type Personality } from '@mneme/contracts';
import { type EventContext, type EventStore, type ExecuteOptions, execute, formatPosition } from '@mneme/event-store';
import { type Agent, agentDecider } from './decider.ts';

/** What of an agent is to be replaced; null keeps it as it is. */
export interface AgentChange {
  readonly personality: Personality | null;
  readonly background: string | null;
}

/** Makes the agent exist and replaces what is given; `position` is null when nothing had to change. */
export async function putAgent(
  store: EventStore<MemoryEvent>,
  agent: AgentRef,
  change: AgentChange,
  context: EventContext,
  options: Pick<ExecuteOptions<Agent>, 'cache'> = {},
): Promise<{ profile: AgentProfile; position: string | null }> {
  const command = { type: 'PutAgent', agent, ...change } as const;
  const { state, position } = await execute(
    store,
    agentDecider,
    memorySubjects.agent(agent),
    command,
    context,
    options,
  );
  const profile = { agent_id: agent.agentId, personality: state.personality, background: state.background };
  return { profile, position: position ? formatPosition(position) : null };
}
