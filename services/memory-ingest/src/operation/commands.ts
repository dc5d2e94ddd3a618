import { type MemoryEvent, memorySubjects } from '@mneme/contracts';
import { type EventContext, type EventStore, execute, formatPosition, type Recorded } from '@mneme/event-store';
import { DomainError } from '../errors.ts';
import { type OperationAsked, operationDecider, operationNotFound } from './decider.ts';

export interface RetryOperation extends OperationAsked {
  /** Names this request, so that sending it again is told from asking for another retry. */
  readonly commandId: string;
}

/**
 * Makes a failed operation pending again.
 * @throws DomainError `operation-not-found` when it is unknown, dismissed or of another space, `operation-not-failed`
 * when it is anything else than failed, `agent-not-allowed` when it is of an agent that the caller may not touch.
 */
export async function retryOperation(
  store: EventStore<MemoryEvent>,
  { space, operationId, onlyAgent, commandId }: RetryOperation,
  context: EventContext,
): Promise<{ position: string }> {
  const subject = await store.find(memorySubjects.anyOperation(operationId.toLowerCase()));
  if (subject === undefined) throw operationNotFound(operationId);
  const command = { type: 'RetryOperation', operationId, space, onlyAgent } as const;
  try {
    const { position } = await execute(store, operationDecider, subject, command, {
      ...context,
      causationId: commandId,
    });
    if (position) return { position: formatPosition(position) };
  } catch (error) {
    const earlier = error instanceof DomainError && (await earlierRetry(store, subject, commandId));
    if (!earlier) throw error;
    return { position: earlier };
  }
  throw operationNotFound(operationId);
}

/** Where an earlier run of the same request has recorded the retry. */
async function earlierRetry(
  store: EventStore<MemoryEvent>,
  subject: string,
  commandId: string,
): Promise<string | undefined> {
  const retried = (found: string | undefined, { type, causationId, position }: Recorded<MemoryEvent>) =>
    type === 'OperationRetried' && causationId === commandId ? formatPosition(position) : found;
  return (await store.fold(subject, retried, undefined)).state;
}
