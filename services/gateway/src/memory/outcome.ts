import { type ItemUnits, memoryQuery, type OperationStatus, WireError } from '@mneme/contracts';
import { parsePosition } from '@mneme/event-store';
import { sleep } from '@mneme/workers/waits';
import { timedOut } from '../errors.ts';
import type { RequestScope } from '../routing/http-endpoint.ts';
import type { MemoryServices } from './memory-services.ts';

/** How long one request for the outcome waits, in milliseconds. The caller waits for all of them together. */
const sliceMs = 5_000;
/** How long to wait before the next request after an early reply, in milliseconds. */
const retryMs = 250;
/** How much longer than the service itself the gateway waits, in milliseconds. */
const graceMs = 1_000;

/** How long an event of the agent must have waited for an operator before the caller is told so, in milliseconds. */
const operatorMs = 5_000;

/** A batch that is stored. */
export interface Stored {
  /** Of the event that completed it. */
  readonly position: string | null;
  /** What became of each item. */
  readonly items: ItemUnits;
}

/**
 * Waits until a recorded batch is stored and can be searched.
 * @param submitted the position at which it was recorded; @param timeoutMs how long to wait at most
 * @throws WireError 500 when it failed, 409 when it was cancelled or erased meanwhile, 504 when it still runs after `timeoutMs`, or
 * cannot be found before an operator has settled an event of its agent
 */
export async function awaitOutcome(
  services: MemoryServices,
  scope: RequestScope,
  { agentId, submitted, timeoutMs }: { agentId: string; submitted: string; timeoutMs: number },
): Promise<Stored> {
  const submittedSequence = parsePosition(submitted)?.sequence ?? 0;
  const operationId = scope.commandId;
  const deadline = performance.now() + timeoutMs;
  let deferredAt: number | undefined;
  for (let leftMs = timeoutMs; leftMs > 0; leftMs = deadline - performance.now()) {
    const sliceEnd = performance.now() + Math.min(leftMs, sliceMs);
    const answer = await ask(services, scope, {
      agentId,
      submittedSequence,
      waitMs: Math.floor(Math.min(leftMs, sliceMs)),
    });
    if (answer instanceof WireError) {
      deferredAt = answer.extra.waiting_event === undefined ? undefined : (deferredAt ?? performance.now());
      if (deferredAt !== undefined && performance.now() - deferredAt >= operatorMs)
        throw waitsForOperator(answer, operationId);
    } else if (answer.settled) {
      assertCompleted(answer.operation, operationId);
      return { position: answer.position, items: answer.items ?? [] };
    }
    // Keeps the gateway from flooding a service that replies at once, because it is starting or stopping.
    await sleep(Math.max(0, Math.min(retryMs, sliceEnd - performance.now())), scope.signal);
    scope.signal.throwIfAborted();
  }
  const message = `The batch is still being processed; read the status of operation ${operationId}`;
  throw timedOut(message, { operation_id: operationId });
}

/** @returns an error while the service is out of reach, or behind; the batch is recorded, so another request is worthwhile */
async function ask(
  services: MemoryServices,
  scope: RequestScope,
  wait: { agentId: string; submittedSequence: number; waitMs: number },
) {
  const request = { space: scope.caller.space, operationId: scope.commandId, ...wait };
  try {
    return await services.send(memoryQuery.awaitOperation, request, scope, wait.waitMs + graceMs);
  } catch (error) {
    const isPassing = error instanceof WireError && (error.status === 503 || error.status === 504);
    if (isPassing && !scope.signal.aborted) return error;
    throw error;
  }
}

/** No 503, which would make callers store the batch again. */
function waitsForOperator({ message }: WireError, operationId: string): WireError {
  const recorded = `The batch is recorded as operation ${operationId}, and cannot be found yet. ${message}`;
  return timedOut(recorded, { operation_id: operationId });
}

function assertCompleted(operation: OperationStatus | null, operationId: string): void {
  const extra = { operation_id: operationId };
  if (operation === null) throw erasedWithAgent(operationId);
  if (operation.status === 'cancelled') {
    throw new WireError({ status: 409, code: 'CONFLICT', message: 'The batch was cancelled', extra });
  }
  if (operation.status === 'failed') {
    const message = operation.error_message ?? 'The batch failed';
    throw new WireError({ status: 500, code: 'INTERNAL_ERROR', message, extra });
  }
}

/** For a batch that was recorded, and of which the log has nothing any more. */
export function erasedWithAgent(operationId: string): WireError {
  const message = 'The batch was erased with its agent';
  return new WireError({ status: 409, code: 'CONFLICT', message, extra: { operation_id: operationId } });
}
