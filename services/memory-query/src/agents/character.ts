import { defaultBackground, defaultPersonality } from '@mneme/contracts';
import type { AgentCharacter } from '@mneme/models';
import type { MemoryCollections } from '../read-model/rows.ts';

/** Who an agent is; one that does not exist yet is as a new one would be. */
export async function characterOf({ agents }: MemoryCollections, agentKey: string): Promise<AgentCharacter> {
  const agent = await agents.findOne({ _id: agentKey }, { projection: { personality: 1, background: 1 } });
  return {
    personality: agent?.personality ?? defaultPersonality,
    background: agent?.background ?? defaultBackground,
  };
}
