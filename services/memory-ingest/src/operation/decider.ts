import type { MemoryEvent, MemoryEventOf, SubmittedItem } from '@mneme/contracts';
import type { Decider, EventRecord } from '@mneme/event-store';
import { assertAgentAllowed, DomainError } from '../errors.ts';

export type OperationEvent = MemoryEventOf<
  | 'BatchSubmitted'
  | 'OperationStarted'
  | 'FactsExtracted'
  | 'OperationFailed'
  | 'OperationCancelled'
  | 'OperationDismissed'
  | 'OperationRetried'
>;

/** Names an operation: `{space, agentId, operationId}`. */
export type OperationRef = Pick<OperationEvent['data'], 'space' | 'agentId' | 'operationId'>;

/** A queued batch of items, from its submission to its end. */
export interface Operation {
  readonly status: 'absent' | 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'dismissed';
  readonly ref: OperationRef | undefined;
  readonly documentId: string | null;
  readonly items: readonly SubmittedItem[];
  readonly attempts: number;
  /** ISO 8601 in UTC; undefined when the log does not say it. */
  readonly submittedAt: string | undefined;
}

export type OperationCommand =
  | { readonly type: 'StartOperation' }
  | { readonly type: 'RecordFacts'; readonly events: readonly MemoryEventOf<'FactsExtracted'>[] }
  | { readonly type: 'FailOperation'; readonly message: string }
  | ({ readonly type: 'CancelOperation' } & OperationAsked)
  | ({ readonly type: 'RetryOperation' } & OperationAsked);

/** Which operation a caller means. */
export interface OperationAsked {
  readonly operationId: string;
  readonly space: string;
  /** The only agent that the caller may touch; any unless given. */
  readonly onlyAgent?: string | undefined;
}

/** Whether work on the operation may still go on. */
export function isOpen(operation: Operation): boolean {
  return operation.status === 'pending' || operation.status === 'processing';
}

export const operationDecider: Decider<Operation, OperationCommand, MemoryEvent> = {
  initialState: { status: 'absent', ref: undefined, documentId: null, items: [], attempts: 0, submittedAt: undefined },
  decide,
  evolve,
};

function decide(command: OperationCommand, operation: Operation): readonly OperationEvent[] {
  if (command.type === 'CancelOperation') return cancel(command, operation);
  if (command.type === 'RetryOperation') return retry(command, operation);
  if (!operation.ref || !isOpen(operation)) return [];
  switch (command.type) {
    case 'StartOperation':
      return [{ type: 'OperationStarted', data: { ...operation.ref, attempt: operation.attempts + 1 } }];
    case 'RecordFacts':
      return command.events;
    case 'FailOperation': {
      const attempts = Math.max(1, operation.attempts);
      return [{ type: 'OperationFailed', data: { ...operation.ref, message: command.message, attempts } }];
    }
  }
}

function cancel(
  command: Extract<OperationCommand, { type: 'CancelOperation' }>,
  { ref, status }: Operation,
): readonly OperationEvent[] {
  if (ref && ref.space === command.space) {
    assertAgentAllowed(ref.agentId, command.onlyAgent);
    if (status === 'pending' || status === 'processing') return [{ type: 'OperationCancelled', data: ref }];
    if (status === 'failed') return [{ type: 'OperationDismissed', data: ref }];
  }
  throw operationNotFound(command.operationId);
}

function retry(
  { operationId, space, onlyAgent }: Extract<OperationCommand, { type: 'RetryOperation' }>,
  { ref, status }: Operation,
): readonly OperationEvent[] {
  if (!ref || ref.space !== space || status === 'absent' || status === 'dismissed')
    throw operationNotFound(operationId);
  assertAgentAllowed(ref.agentId, onlyAgent);
  if (status === 'failed') return [{ type: 'OperationRetried', data: ref }];
  throw new DomainError('operation-not-failed', `Operation ${operationId} ${whyNotRetried[status]}`);
}

const whyNotRetried = {
  pending: 'waits for its turn: ask for its status later',
  processing: 'is being worked on: ask for its status later',
  completed: 'is completed: submit a new batch to store something else',
  cancelled: 'was cancelled: submit its batch again to store it',
} as const;

/** The same words for an operation that is unknown, gone, or of another space. */
export function operationNotFound(operationId: string): DomainError {
  return new DomainError('operation-not-found', `Operation ${operationId} not found`);
}

function evolve(operation: Operation, event: MemoryEvent & Partial<EventRecord>): Operation {
  switch (event.type) {
    case 'BatchSubmitted': {
      const { space, agentId, operationId, documentId, items } = event.data;
      const ref = { space, agentId, operationId };
      const submitted = { ref, documentId, items: [...operation.items, ...items], submittedAt: event.time };
      return { ...operation, ...submitted, status: 'pending' };
    }
    case 'OperationStarted':
      return { ...operation, status: 'processing', attempts: event.data.attempt };
    case 'FactsExtracted':
      return event.data.part === event.data.parts - 1 ? { ...operation, status: 'completed' } : operation;
    case 'OperationFailed':
      return { ...operation, status: 'failed', attempts: event.data.attempts };
    case 'OperationCancelled':
      return { ...operation, status: 'cancelled' };
    case 'OperationDismissed':
      return { ...operation, status: 'dismissed' };
    case 'OperationRetried':
      return { ...operation, status: 'pending', attempts: 0 };
    default:
      throw new Error(`${event.type} does not belong to an operation`);
  }
}
