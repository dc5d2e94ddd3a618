import { type MemoryEvent, memorySubjects } from '@mneme/contracts';
import { type EventContext, type EventStore, execute, formatPosition } from '@mneme/event-store';
import { type OperationAsked, operationDecider, operationNotFound } from './decider.ts';

/**
 * Cancels a pending operation, or dismisses a failed one.
 * @throws DomainError `operation-not-found` when it is unknown, finished, cancelled or of another space,
 * `agent-not-allowed` when it is of an agent that the caller may not touch.
 */
export async function cancelOperation(
  store: EventStore<MemoryEvent>,
  { space, operationId, onlyAgent }: OperationAsked,
  context: EventContext,
): Promise<{ agentId: string; position: string | null }> {
  const id = operationId.toLowerCase();
  const subject = await store.find(memorySubjects.anyOperation(id));
  if (subject === undefined) throw operationNotFound(operationId);
  const command = { type: 'CancelOperation', operationId, space, onlyAgent } as const;
  const { state, position } = await execute(store, operationDecider, subject, command, context);
  return { agentId: state.ref?.agentId ?? '', position: position ? formatPosition(position) : null };
}
