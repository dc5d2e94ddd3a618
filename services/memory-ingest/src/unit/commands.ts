import { type memoryIngest, memoryQuery, memorySubjects, type RequestOf } from '@mneme/contracts';
import { type EventContext, execute, formatPosition } from '@mneme/event-store';
import type { MemoryIngestDeps } from '../deps.ts';
import { assertAgentAllowed, DomainError } from '../errors.ts';
import { unitDecider } from './decider.ts';

export interface ForgetUnitDeps extends Pick<MemoryIngestDeps, 'client' | 'storeFor'> {
  readonly store: Pick<MemoryIngestDeps['store'], 'head'>;
}

/** How long the read model may take to find the agent of a unit, in milliseconds. */
const queryTimeoutMs = 5_000;

/** A unit of a space. */
type UnitRequest = RequestOf<typeof memoryIngest.forgetUnit>;

/**
 * Finds the agent of a unit, and the unit as the read model has it.
 * @returns also a sequence of the log: when the agent was erased after it, the unit is gone
 * @throws DomainError `unit-not-found` when the space, or the agent, has no such unit, `agent-not-allowed` when it belongs to
 * another agent than `onlyAgent`
 */
export async function locateUnit(
  { client, store }: Pick<ForgetUnitDeps, 'client' | 'store'>,
  request: UnitRequest,
  context: EventContext,
) {
  const { space, onlyAgent } = request;
  const unitId = request.unitId.toLowerCase();
  const options = { ...context, timeoutMs: queryTimeoutMs };
  const before = await store.head();
  const { agentId, unit } = await client.request(memoryQuery.findUnit, { space, unitId }, options);
  if (agentId === null) throw new DomainError('unit-not-found');
  assertAgentAllowed(agentId, onlyAgent);
  if (agentId !== (request.agentId ?? agentId)) throw new DomainError('unit-not-found');
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
): Promise<{ agentId: string; position: string | null }> {
  const { ref, readAt } = await locateUnit(deps, request, context);
  const command = { type: 'ForgetUnit', ...ref } as const;
  const store = deps.storeFor(ref, readAt);
  const { position } = await execute(store, unitDecider, memorySubjects.unit(ref, ref.unitId), command, context, {
    signal: context.signal,
  });
  return { agentId: ref.agentId, position: position ? formatPosition(position) : null };
}
