import type { DocumentMode, MemoryEvent, MemoryEventOf, SubmittedItem } from '@mneme/contracts';
import type { AsyncDecider, Decider, EventRecord } from '@mneme/event-store';
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

/** Identifies an operation: `{space, agentId, operationId}`. */
export type OperationRef = Pick<OperationEvent['data'], 'space' | 'agentId' | 'operationId'>;

/** A queued batch of items, from its submission to its end. */
export interface Operation {
  readonly status: 'absent' | 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'dismissed';
  readonly ref: OperationRef | undefined;
  readonly documentId: string | null;
  readonly mode: DocumentMode;
  readonly items: readonly SubmittedItem[];
  /** Whether the caller does not wait for the outcome. */
  readonly isAsync: boolean;
  readonly attempts: number;
  /** ISO 8601 in UTC; undefined for an event that is not in the log yet. */
  readonly submittedAt: string | undefined;
}

export type OperationCommand =
  | { readonly type: 'FailOperation'; readonly message: string }
  | ({ readonly type: 'CancelOperation' } & OperationRequest)
  | ({ readonly type: 'RetryOperation' } & OperationRequest);

/** Which operation a caller means. */
export interface OperationRequest {
  readonly operationId: string;
  readonly space: string;
  /** The agent that it has to belong to; any unless given. */
  readonly agentId?: string | undefined;
  /** The only agent that the caller may access; any unless given. */
  readonly onlyAgent?: string | undefined;
}

export const operationDecider: Decider<Operation, OperationCommand, MemoryEvent> = {
  initialState: {
    status: 'absent',
    ref: undefined,
    documentId: null,
    mode: 'replace',
    items: [],
    isAsync: false,
    attempts: 0,
    submittedAt: undefined,
  },
  decide,
  evolve,
};

/** Asks for a batch to be processed and its facts to be recorded. */
export interface ProcessBatch {
  readonly type: 'ProcessBatch';
  /**
   * Starts the work, or waits for the work that an earlier call has started.
   * @returns undefined when it takes long or has failed, so that the operation is first to be shown as processing
   */
  readonly complete: (operation: Operation) => Promise<readonly MemoryEventOf<'FactsExtracted'>[] | undefined>;
}

/** Decides with the help of models, which are not called for an operation that is known to be finished or cancelled. */
export const batchDecider: AsyncDecider<Operation, ProcessBatch, MemoryEvent> = {
  ...operationDecider,
  decide: async ({ complete }, operation) => {
    const { ref, attempts } = operation;
    if (!ref || !isOpen(operation)) return [];
    const facts = await complete(operation);
    return facts ?? [{ type: 'OperationStarted', data: { ...ref, attempt: attempts + 1 } }];
  },
};

/** Whether the operation may still be processed. */
function isOpen({ status }: Operation): boolean {
  return status === 'pending' || status === 'processing';
}

function decide(command: OperationCommand, operation: Operation): readonly OperationEvent[] {
  if (command.type === 'CancelOperation') return cancel(command, operation);
  if (command.type === 'RetryOperation') return retry(command, operation);
  const { ref, attempts } = operation;
  if (!ref || !isOpen(operation)) return [];
  const data = { ...ref, message: command.message, attempts: Math.max(1, attempts) };
  return [{ type: 'OperationFailed', data }];
}

function cancel(request: OperationRequest, operation: Operation): readonly OperationEvent[] {
  const ref = refOf(request, operation);
  if (isOpen(operation)) return [{ type: 'OperationCancelled', data: ref }];
  if (operation.status === 'failed') return [{ type: 'OperationDismissed', data: ref }];
  throw operationNotFound(request.operationId);
}

function retry(request: OperationRequest, operation: Operation): readonly OperationEvent[] {
  const { operationId } = request;
  const { status } = operation;
  const ref = refOf(request, operation);
  if (status === 'absent' || status === 'dismissed') throw operationNotFound(operationId);
  if (status === 'failed') return [{ type: 'OperationRetried', data: ref }];
  throw new DomainError('operation-not-failed', `Operation ${operationId} ${whyNotRetried[status]}`);
}

/** @throws DomainError when there is no such operation in the space, or it is not that of an agent that is meant or allowed */
function refOf({ operationId, space, agentId, onlyAgent }: OperationRequest, { ref }: Operation): OperationRef {
  if (ref?.space !== space) throw operationNotFound(operationId);
  assertAgentAllowed(ref.agentId, onlyAgent);
  if (ref.agentId !== (agentId ?? ref.agentId)) throw operationNotFound(operationId);
  return ref;
}

const whyNotRetried = {
  pending: 'waits for its turn: ask for its status later',
  processing: 'is being worked on: ask for its status later',
  completed: 'is completed: submit a new batch to store something else',
  cancelled: 'was cancelled: submit its batch again to store it',
} as const;

/** The same message for an operation that is unknown, finished, or of another space or agent. */
export function operationNotFound(operationId: string): DomainError {
  return new DomainError('operation-not-found', `Operation ${operationId} not found`);
}

function evolve(operation: Operation, event: MemoryEvent & Partial<EventRecord>): Operation {
  switch (event.type) {
    case 'BatchSubmitted': {
      const { space, agentId, operationId, documentId, mode = 'replace', items, isAsync = false } = event.data;
      const ref = { space, agentId, operationId };
      const all = [...operation.items, ...items];
      const submitted = { ref, documentId, mode, items: all, isAsync, submittedAt: event.time };
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
