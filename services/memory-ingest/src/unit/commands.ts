import { type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import { type EventContext, type EventStore, execute, formatPosition } from '@mneme/event-store';
import type { Client } from '@mneme/service-kit';
import { assertAgentAllowed } from '../errors.ts';
import { unitDecider, unitNotFound } from './decider.ts';

/** How long the read model may take to say whose a unit is, in milliseconds. */
const queryTimeoutMs = 5_000;

export interface ForgetUnitDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly client: Client;
}

/**
 * Forgets one memory unit.
 * @throws DomainError `unit-not-found` when the space has no such unit, or it is forgotten already, `agent-not-allowed`
 * when it is of another agent than `onlyAgent`.
 */
export async function forgetUnit(
  { store, client }: ForgetUnitDeps,
  { space, unitId, onlyAgent }: { space: string; unitId: string; onlyAgent?: string | undefined },
  context: EventContext,
): Promise<{ position: string | null }> {
  const id = unitId.toLowerCase();
  const { agentId } = await client.call(
    memoryQuery.findUnit,
    { space, unitId: id },
    { ...context, deadlineMs: queryTimeoutMs },
  );
  if (agentId === null) throw unitNotFound();
  assertAgentAllowed(agentId, onlyAgent);
  const command = { type: 'ForgetUnit', space, agentId, unitId: id } as const;
  const { position } = await execute(store, unitDecider, memorySubjects.unit(command, id), command, context);
  return { position: position ? formatPosition(position) : null };
}
