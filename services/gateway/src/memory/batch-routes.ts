import {
  type BatchPut,
  type MemoryEvent,
  type memoryRoutes,
  memorySubjects,
  type SubmittedItem,
} from '@mneme/contracts';
import {
  BatchTooLargeError,
  ConflictError,
  type EventStore,
  EventTooLargeError,
  formatPosition,
  splitBySize,
} from '@mneme/event-store';
import { mapInSlices } from '@mneme/workers/time-slices';
import { tooLarge } from '../errors.ts';
import type { HttpEndpoints, RequestScope } from '../routing/http-endpoint.ts';
import type { LargeBatches } from './large-batches.ts';
import type { MemoryServices } from './memory-services.ts';
import { awaitOutcome, erasedWithAgent } from './outcome.ts';

const itemTooLarge = 'An item is larger than one message of the event log may be; cut it into several items';

interface SubmissionDeps {
  readonly store: EventStore<MemoryEvent>;
  /** The current limit of one event's data, in bytes. */
  readonly maxEventBytes: () => number;
  readonly largeBatches: LargeBatches;
}

export interface BatchDeps extends SubmissionDeps {
  readonly services: MemoryServices;
  /** How long a synchronous batch waits for its outcome, in milliseconds. */
  readonly syncTimeoutMs: number;
}

/** Batches are recorded by the gateway itself. */
export function batchEndpoints(deps: BatchDeps) {
  return {
    putBatch: async ({ body }, scope) => {
      const deadline = performance.now() + Math.min(deps.syncTimeoutMs, scope.waitMs ?? deps.syncTimeoutMs);
      const leftMs = () => Math.max(0, deadline - performance.now());
      const submitted = await submitInTurn(deps, body, scope, { isAsync: false, timeoutMs: leftMs() });
      const wait = { agentId: body.agent_id, submitted, timeoutMs: leftMs() };
      const { position, items } = await awaitOutcome(deps.services, scope, wait);
      const message = `Successfully stored ${body.items.length} memory items`;
      return { body: { ...summary(body, scope), message, items }, position: position ?? submitted };
    },
    putBatchAsync: async ({ body }, scope) => {
      const position = await submitInTurn(deps, body, scope, { isAsync: true, timeoutMs: deps.syncTimeoutMs });
      const message = `Batch put task queued for background processing (${body.items.length} items)`;
      return { body: { ...summary(body, scope), message, queued: true }, position };
    },
  } satisfies Partial<HttpEndpoints<typeof memoryRoutes>>;
}

function summary(batch: BatchPut, { commandId }: RequestScope) {
  return {
    success: true,
    agent_id: batch.agent_id,
    document_id: batch.document_id ?? null,
    items_count: batch.items.length,
    operation_id: commandId,
  };
}

interface SubmissionOptions {
  readonly isAsync: boolean;
}

/**
 * @param timeoutMs how long a large batch waits for its turn
 * @throws WireError 503 when that is not enough, and like `submitBatch`
 */
function submitInTurn(
  deps: SubmissionDeps,
  batch: BatchPut,
  scope: RequestScope,
  { timeoutMs, ...options }: SubmissionOptions & { readonly timeoutMs: number },
): Promise<string> {
  const owner = [scope.caller.space, batch.agent_id] as const;
  const wait = { owner, timeoutMs, signal: scope.signal };
  return deps.largeBatches.inTurn(batch, wait, () => submitBatch(deps, batch, scope, options));
}

/**
 * Records a batch in the event log, which guarantees that it will be processed. The command id of the request becomes the
 * operation's id, so that a repeated request finds its batch recorded.
 * @returns the position of the recorded batch
 * @throws WireError 413 when an item does not fit into a message, or 409 when the agent was erased since the request began;
 * nothing is recorded then
 */
async function submitBatch(
  deps: SubmissionDeps,
  batch: BatchPut,
  scope: RequestScope,
  { isAsync }: SubmissionOptions,
): Promise<string> {
  const agent = { space: scope.caller.space, agentId: batch.agent_id };
  const subject = memorySubjects.operation(agent, scope.commandId);
  const events = await toEvents(batch, scope, { maxBytes: deps.maxEventBytes(), isAsync });
  const context = { correlationId: scope.requestId, ...(scope.caller.actor && { actor: scope.caller.actor }) };
  // A large batch has waited for its turn. What an erasure has taken out of the log could be appended again.
  await scope.assertNotErased();
  try {
    return formatPosition(await deps.store.append(subject, events, 0, context));
  } catch (error) {
    if (error instanceof ConflictError) return positionOfRecorded(deps.store, subject, scope.commandId);
    if (error instanceof EventTooLargeError || error instanceof BatchTooLargeError) throw tooLarge(itemTooLarge, error);
    throw error;
  }
}

/** One event, or several parts of it if the items do not fit into one message. */
async function toEvents(
  batch: BatchPut,
  scope: RequestScope,
  { maxBytes, isAsync }: { readonly maxBytes: number; readonly isAsync: boolean },
): Promise<MemoryEvent[]> {
  const items = await mapInSlices(batch.items, sized);
  // An empty batch stores nothing; with a document id it would empty that document.
  const documentId = items.length === 0 ? null : (batch.document_id ?? null);
  const common = {
    space: scope.caller.space,
    agentId: batch.agent_id,
    operationId: scope.commandId,
    documentId,
    ...(documentId !== null && batch.mode === 'append' && { mode: batch.mode }),
    itemsCount: items.length,
    ...(isAsync && { isAsync }),
  };
  const widestCounts = { part: 1_000, parts: 1_000, items: [] };
  const room = maxBytes - jsonBytes({ ...common, ...widestCounts });
  const runs = splitBySize(items, ({ bytes }) => bytes + 1, room);
  const parts = runs.length === 0 ? [[]] : runs;
  return parts.map((run, part) => ({
    type: 'BatchSubmitted',
    data: { ...common, part, parts: parts.length, items: run.map(({ item }) => item) },
  }));
}

function sized(given: BatchPut['items'][number]): { readonly item: SubmittedItem; readonly bytes: number } {
  const item = toSubmittedItem(given);
  return { item, bytes: jsonBytes(item) };
}

function toSubmittedItem(item: BatchPut['items'][number]): SubmittedItem {
  const { content, event_date, context, role, metadata, extract } = item;
  return {
    content,
    eventDate: event_date ?? null,
    context: context ?? null,
    ...(role && { role }),
    ...(metadata && { metadata }),
    ...(!extract && { extract }),
  };
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/**
 * A conflict on a new subject means that an earlier run of the same request has recorded the batch.
 * @throws WireError 409 when it has been erased since
 */
async function positionOfRecorded(
  store: EventStore<MemoryEvent>,
  subject: string,
  operationId: string,
): Promise<string> {
  const position = (await store.lastPosition(subject))?.position;
  if (!position) throw erasedWithAgent(operationId);
  return formatPosition(position);
}
