import { type MemoryEvent, type memoryIngest, memorySubjects, type RequestOf } from '@mneme/contracts';
import {
  type EventContext,
  type EventStore,
  execute,
  formatPosition,
  newestStore,
  type Recorded,
} from '@mneme/event-store';
import { DomainError } from '../errors.ts';
import { type OperationRequest, operationDecider, operationNotFound } from './decider.ts';

/**
 * Cancels a pending operation, or dismisses a failed one.
 * @throws DomainError `operation-not-found` when it is unknown, finished, cancelled or of another space or agent,
 * `agent-not-allowed` when it belongs to an agent that the caller may not access
 */
export async function cancelOperation(
  store: EventStore<MemoryEvent>,
  request: OperationRequest,
  context: EventContext,
): Promise<{ agentId: string; position: string | null }> {
  const subject = await subjectOf(store, request.operationId);
  const command = { type: 'CancelOperation', ...request } as const;
  const { state, position } = await execute(newestStore(store), operationDecider, subject, command, context);
  return { agentId: state.ref?.agentId ?? '', position: position ? formatPosition(position) : null };
}

/**
 * Makes a failed operation pending again.
 * @throws DomainError `operation-not-found` when it is unknown, dismissed or of another space or agent, `operation-not-failed`
 * when it has any other status than failed, `agent-not-allowed` when it belongs to an agent that the caller may not access
 */
export async function retryOperation(
  store: EventStore<MemoryEvent>,
  { commandId, ...request }: RequestOf<typeof memoryIngest.retryOperation>,
  context: EventContext,
): Promise<{ position: string }> {
  const { operationId } = request;
  const subject = await subjectOf(store, operationId);
  const command = { type: 'RetryOperation', ...request } as const;
  const because = { ...context, causationId: commandId };
  try {
    const { position } = await execute(newestStore(store), operationDecider, subject, command, because);
    if (position) return { position: formatPosition(position) };
  } catch (error) {
    const earlier = error instanceof DomainError && (await earlierRetry(store, subject, commandId));
    if (!earlier) throw error;
    return { position: earlier };
  }
  throw operationNotFound(operationId);
}

/** Gives a batch up: its operation fails with a message for the caller. */
export async function failOperation(
  store: EventStore<MemoryEvent>,
  subject: string,
  error: unknown,
  context: EventContext,
): Promise<void> {
  const message = error instanceof Error && error.message !== '' ? error.message : 'The batch could not be processed';
  const command = { type: 'FailOperation', message } as const;
  await execute(newestStore(store), operationDecider, subject, command, context);
}

async function subjectOf(store: EventStore<MemoryEvent>, operationId: string): Promise<string> {
  // From the leader: a replica may not have an operation that was accepted a moment ago.
  const last = await store.lastPosition(memorySubjects.anyOperation(operationId.toLowerCase()));
  if (last === undefined) throw operationNotFound(operationId);
  return last.subject;
}

/** The position at which an earlier run of the same request has recorded the retry. */
async function earlierRetry(
  store: EventStore<MemoryEvent>,
  subject: string,
  commandId: string,
): Promise<string | undefined> {
  const find = (found: string | undefined, { type, causationId, position }: Recorded<MemoryEvent>) =>
    type === 'OperationRetried' && causationId === commandId ? formatPosition(position) : found;
  return (await newestStore(store).fold(subject, find, undefined)).state;
}
