import { type AgentRef, type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import { type EventContext, type EventStore, execute, formatPosition } from '@mneme/event-store';
import type { Client } from '@mneme/service-kit';
import { assertAgentAllowed } from '../errors.ts';
import { unitDecider, unitNotFound } from './decider.ts';

export interface ForgetUnitDeps {
  readonly client: Client;
  /** @returns a store that keeps nothing of an agent that was erased since the unit was read */
  readonly storeFor: (agent: AgentRef, readAt: number) => EventStore<MemoryEvent>;
  readonly head: () => Promise<number>;
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
 * @returns also a sequence of the log: when the agent was erased after it, the unit is gone
 * @throws DomainError `unit-not-found` when the space has no such unit, `agent-not-allowed` when it belongs to another
 * agent than `onlyAgent`
 */
export async function locateUnit(
  { client, head }: Pick<ForgetUnitDeps, 'client' | 'head'>,
  request: UnitRequest,
  context: EventContext,
) {
  const { space, onlyAgent } = request;
  const unitId = request.unitId.toLowerCase();
  const options = { ...context, timeoutMs: queryTimeoutMs };
  const before = await head();
  const { agentId, unit } = await client.request(memoryQuery.findUnit, { space, unitId }, options);
  if (agentId === null) throw unitNotFound();
  assertAgentAllowed(agentId, onlyAgent);
  return { ref: { space, agentId, unitId }, unit, readAt: unit?.sequence ?? before };
}

/**
 * Forgets one memory unit.
 * @throws DomainError like `locateUnit`, `unit-not-found` also when it is already forgotten, `agent-erased`
 */
export async function forgetUnit(
  deps: ForgetUnitDeps,
  request: UnitRequest,
  context: EventContext,
): Promise<{ position: string | null }> {
  const { ref, readAt } = await locateUnit(deps, request, context);
  const command = { type: 'ForgetUnit', ...ref } as const;
  const store = deps.storeFor(ref, readAt);
  const { position } = await execute(store, unitDecider, memorySubjects.unit(ref, ref.unitId), command, context);
  return { position: position ? formatPosition(position) : null };
}
