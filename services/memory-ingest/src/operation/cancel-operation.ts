import { type MemoryEvent, memorySubjects } from '@mneme/contracts';
import { type EventContext, type EventStore, execute, formatPosition } from '@mneme/event-store';
import { operationDecider, operationNotFound } from './operation-decider.ts';

/**
 * Cancels a pending operation, or dismisses a failed one.
 * @throws DomainError `operation-not-found` when it is unknown, finished, cancelled or of another space.
 */
export async function cancelOperation(
  store: EventStore<MemoryEvent>,
  { space, operationId }: { space: string; operationId: string },
  context: EventContext,
): Promise<{ agentId: string; position: string | null }> {
  const id = operationId.toLowerCase();
  const { subject } = await store.load(memorySubjects.anyOperation(id));
  if (subject === undefined) throw operationNotFound(operationId);
  const command = { type: 'CancelOperation', operationId, space } as const;
  const { state, position } = await execute(store, operationDecider, subject, command, context);
  return { agentId: state.ref?.agentId ?? '', position: position ? formatPosition(position) : null };
}
