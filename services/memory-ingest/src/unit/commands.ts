import { type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import { type EventContext, type EventStore, execute, formatPosition } from '@mneme/event-store';
import type { Client } from '@mneme/service-kit';
import { assertAgentAllowed } from '../errors.ts';
import { unitDecider, unitNotFound } from './decider.ts';

export interface ForgetUnitDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly client: Client;
}

/** How long the read model may take to find the agent of a unit, in milliseconds. */
const queryTimeoutMs = 5_000;

/**
 * Forgets one memory unit.
 * @param request `onlyAgent` is the only agent that the caller may access; any unless given
 * @throws DomainError `unit-not-found` when the space has no such unit or it is already forgotten, `agent-not-allowed`
 * when it belongs to another agent than `onlyAgent`
 */
export async function forgetUnit(
  { store, client }: ForgetUnitDeps,
  request: { space: string; unitId: string; onlyAgent?: string | undefined },
  context: EventContext,
): Promise<{ position: string | null }> {
  const { space, onlyAgent } = request;
  const unitId = request.unitId.toLowerCase();
  const options = { ...context, deadlineMs: queryTimeoutMs };
  const { agentId } = await client.request(memoryQuery.findUnit, { space, unitId }, options);
  if (agentId === null) throw unitNotFound();
  assertAgentAllowed(agentId, onlyAgent);
  const command = { type: 'ForgetUnit', space, agentId, unitId } as const;
  const { position } = await execute(store, unitDecider, memorySubjects.unit(command, unitId), command, context);
  return { position: position ? formatPosition(position) : null };
}
