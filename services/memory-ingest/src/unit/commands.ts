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

/** A unit of a space; `onlyAgent` is the only agent that the caller may access, any unless given. */
export interface UnitRequest {
  readonly space: string;
  readonly unitId: string;
  readonly onlyAgent?: string | undefined;
}

/**
 * Finds the agent of a unit, and the unit as the read model has it.
 * @throws DomainError `unit-not-found` when the space has no such unit, `agent-not-allowed` when it belongs to another
 * agent than `onlyAgent`
 */
export async function locateUnit(client: Client, request: UnitRequest, context: EventContext) {
  const { space, onlyAgent } = request;
  const unitId = request.unitId.toLowerCase();
  const options = { ...context, timeoutMs: queryTimeoutMs };
  const { agentId, unit } = await client.request(memoryQuery.findUnit, { space, unitId }, options);
  if (agentId === null) throw unitNotFound();
  assertAgentAllowed(agentId, onlyAgent);
  return { ref: { space, agentId, unitId }, unit };
}

/**
 * Forgets one memory unit.
 * @throws DomainError like `locateUnit`, `unit-not-found` also when it is already forgotten
 */
export async function forgetUnit(
  { store, client }: ForgetUnitDeps,
  request: UnitRequest,
  context: EventContext,
): Promise<{ position: string | null }> {
  const { ref } = await locateUnit(client, request, context);
  const command = { type: 'ForgetUnit', ...ref } as const;
  const { position } = await execute(store, unitDecider, memorySubjects.unit(ref, ref.unitId), command, context);
  return { position: position ? formatPosition(position) : null };
}
