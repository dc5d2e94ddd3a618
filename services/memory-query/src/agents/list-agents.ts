import type { AgentList } from '@mneme/contracts';
import type { MemoryCollections } from '../read-model/collections.ts';
import { timestamp } from '../read-model/timestamp.ts';

/** All agents of a space, the one changed last first. */
export async function listAgents({ agents }: MemoryCollections, { space }: { space: string }): Promise<AgentList> {
  const rows = await agents.find({ space }).sort({ updatedAt: -1, _id: 1 }).toArray();
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
