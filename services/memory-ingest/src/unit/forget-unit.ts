import { type MemoryEvent, memoryQuery, memorySubjects } from '@mneme/contracts';
import { type Decider, type EventContext, type EventStore, execute, formatPosition } from '@mneme/event-store';
import type { Client } from '@mneme/service-kit';
import { DomainError } from '../errors.ts';

interface ForgetUnit {
  readonly space: string;
  readonly agentId: string;
  readonly unitId: string;
}

/** A unit comes into being in the read model; all that its own log says is that it was forgotten. */
export const unitDecider: Decider<{ readonly isForgotten: boolean }, ForgetUnit, MemoryEvent> = {
  initialState: { isForgotten: false },
  decide: (command, unit) => {
    if (unit.isForgotten) throw unitNotFound();
    return [{ type: 'UnitForgotten', data: command }];
  },
  evolve: (unit, event) => (event.type === 'UnitForgotten' ? { isForgotten: true } : unit),
};

/** How long the read model may take to say whose a unit is, in milliseconds. */
const queryTimeoutMs = 5_000;

export interface ForgetUnitDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly client: Client;
}

/**
 * Forgets one memory unit.
 * @throws DomainError `unit-not-found` when the space has no such unit, or it is forgotten already.
 */
export async function forgetUnit(
  { store, client }: ForgetUnitDeps,
  { space, unitId }: { space: string; unitId: string },
  context: EventContext,
): Promise<{ position: string | null }> {
  const id = unitId.toLowerCase();
  const { agentId } = await client.call(
    memoryQuery.findUnit,
    { space, unitId: id },
    { ...context, deadlineMs: queryTimeoutMs },
  );
  if (agentId === null) throw unitNotFound();
  const command = { space, agentId, unitId: id };
  const { position } = await execute(store, unitDecider, memorySubjects.unit(command, id), command, context);
  return { position: position ? formatPosition(position) : null };
}

function unitNotFound(): DomainError {
  return new DomainError('unit-not-found', 'Memory unit not found');
}
