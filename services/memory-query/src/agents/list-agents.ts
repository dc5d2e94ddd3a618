import { type AgentList, agentKey } from '@mneme/contracts';
import type { MemoryCollections } from '../read-model/collections.ts';
import { timestamp } from '../read-model/timestamp.ts';

/** All agents of a space, or the one that is asked for; the one changed last first. */
export async function listAgents(
  { agents }: MemoryCollections,
  { space, agentId }: { space: string; agentId?: string | undefined },
): Promise<AgentList> {
  const wanted = agentId === undefined ? { space } : { _id: agentKey({ space, agentId }) };
  const rows = await agents.find(wanted).sort({ updatedAt: -1, _id: 1 }).toArray();
  return {
    agents: rows.map(({ agentId, personality, background, createdAt, updatedAt }) => ({
      agent_id: agentId,
      personality,
      background,
      created_at: timestamp(createdAt),
      updated_at: timestamp(updatedAt),
    })),
  };
}
