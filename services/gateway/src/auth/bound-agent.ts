import { forbidden } from '../errors.ts';
import type { Caller } from './caller.ts';

/** The only agent that a caller may touch; undefined: any agent of the space. */
export function boundAgentOf(caller: Caller): string | undefined {
  const agentId = caller.kind === 'key' ? caller.key.agentId : null;
  // A number stands for the agent of that name.
  return agentId === null ? undefined : String(agentId);
}

/** For requests about what has an agent without naming it: refused by its owner when it is another agent's. */
export function onlyAgent(caller: Caller): { onlyAgent?: string } {
  const agentId = boundAgentOf(caller);
  return agentId === undefined ? {} : { onlyAgent: agentId };
}

/**
 * Looks at the agents that parts of a request name.
 * @throws WireError 403 when one of them is not the agent that the key is bound to
 */
export function assertAgent(caller: Caller, ...parts: readonly unknown[]): void {
  const bound = boundAgentOf(caller);
  if (bound === undefined) return;
  for (const part of parts) {
    const named = agentNamedIn(part);
    if (named !== undefined && named !== bound) throw forbidden('The key is bound to another agent');
  }
}

/** The agent that a part of a request, or an answer, is about. */
export function agentNamedIn(part: unknown): string | undefined {
  const named = part !== null && typeof part === 'object' && 'agent_id' in part ? part.agent_id : undefined;
  return typeof named === 'string' ? named : undefined;
}
