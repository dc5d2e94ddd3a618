import { z } from 'zod';
import { ToolError } from '../failures.ts';
import type { ToolContext } from '../tool.ts';

export const unitId = z.uuid('must be the exact id of a memory, as recall and list_memories show it');

/** What a model is told to do if there is no memory with an id. */
export const ifNoMemory = 'Ids come from recall and list_memories; it may have been forgotten.';

/**
 * A memory of the session's agent. Services of earlier releases ignore the agent that the client names, and find a memory by
 * its id alone: without this look, one of another agent could be changed while they run.
 * @throws ToolError when it belongs to another agent, as if there were none
 */
export async function ownMemory(id: string, { agent, signal }: ToolContext) {
  const memory = await agent.memories.get(id, { signal });
  if (memory.agent_id === agent.id) return memory;
  throw new ToolError(`Memory unit not found. ${ifNoMemory}`);
}
