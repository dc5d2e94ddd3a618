import type { BatchPut, memoryRoutes } from '@mneme/contracts';
import type { Handlers } from '../http/endpoints.ts';
import type { MemoryCalls } from './memory-requests.ts';
import { awaitOutcome } from './outcome.ts';
import { type SubmissionDeps, submitBatch } from './submission.ts';

type BatchRoutes = Pick<typeof memoryRoutes, 'putBatch' | 'putBatchAsync'>;

export interface BatchDeps extends SubmissionDeps {
  readonly calls: MemoryCalls;
  /** How long a synchronous batch waits for its outcome, in milliseconds. */
  readonly syncTimeoutMs: number;
}

export function batchHandlers(deps: BatchDeps): Handlers<BatchRoutes> {
  return {
    putBatch: async ({ body }, scope) => {
      const submitted = await submitBatch(deps, body, scope);
      const wait = { agentId: body.agent_id, submitted, timeoutMs: deps.syncTimeoutMs };
      const completed = await awaitOutcome(deps.calls, scope, wait);
      const message = `Successfully stored ${body.items.length} memory items`;
      return { body: { ...summary(body), message }, position: completed ?? submitted };
    },
    putBatchAsync: async ({ body }, scope) => {
      const position = await submitBatch(deps, body, scope);
      const message = `Batch put task queued for background processing (${body.items.length} items)`;
      return { body: { ...summary(body), message, queued: true, operation_id: scope.commandId }, position };
    },
  };
}

function summary(batch: BatchPut) {
  return {
    success: true,
    agent_id: batch.agent_id,
    document_id: batch.document_id ?? null,
    items_count: batch.items.length,
  };
}
