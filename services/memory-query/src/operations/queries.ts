import {
  type AgentRef,
  agentKey,
  agentKeyOf,
  type MemoryEvent,
  type memoryQuery,
  memoryStream,
  memorySubjects,
  type OperationList,
  type OperationStatus,
  type ReplyOf,
  type RequestOf,
} from '@mneme/contracts';
import { type EventStore, formatPosition } from '@mneme/event-store';
import { assertAgentAllowed, DomainError } from '../errors.ts';
import type { MemoryReadModel } from '../read-model/read-model.ts';
import type { ReadableRows, Reads } from '../read-model/reads.ts';
import { erasedAgents } from '../read-model/removals.ts';
import { type StoredOperation, timestamp } from '../read-model/rows.ts';
import { readCreated, unitsByItem } from '../units/created-units.ts';
import type { OperationWaiters } from './waiters.ts';

/** The most operations in a list; the oldest ones are those that need attention. */
const maxListed = 10_000;

/** The pending and failed operations of an agent, oldest first. */
export async function listOperations({ collections, removals }: ReadableRows, agent: AgentRef): Promise<OperationList> {
  if (erasedAgents(removals).includes(agentKey(agent))) return { agent_id: agent.agentId, operations: [] };
  const rows = await collections.operations
    .find({ agentKey: agentKey(agent), status: { $in: ['pending', 'processing', 'failed'] } })
    .project<StoredOperation>({ pendingText: 0 })
    .sort({ submittedSequence: 1 })
    .limit(maxListed)
    .toArray();
  return { agent_id: agent.agentId, operations: rows.map(toListed) };
}

type StatusQuery = RequestOf<typeof memoryQuery.operationStatus>;

/**
 * @throws DomainError `operation-not-found` when the space, or the agent, has no such operation, `agent-not-allowed` when it belongs to
 * another agent than `onlyAgent`
 */
export async function operationStatus(
  { collections, removals }: ReadableRows,
  { space, operationId, agentId, onlyAgent }: StatusQuery,
): Promise<OperationStatus> {
  const wanted = { _id: operationId.toLowerCase(), space, agentKey: { $nin: erasedAgents(removals) } };
  const row = await collections.operations.findOne(wanted, { projection: { pendingText: 0 } });
  if (row) assertAgentAllowed(row.agentId, onlyAgent);
  if (!row || row.agentId !== (agentId ?? row.agentId)) {
    throw new DomainError('operation-not-found', `Operation ${operationId} not found`);
  }
  return toStatus(row);
}

/** How long to wait for the last event of an operation to be applied, in milliseconds. */
const lastEventWaitMs = 1_000;

export interface CurrentStatusDeps {
  readonly store: Pick<EventStore<MemoryEvent>, 'lastPosition'>;
  readonly readModel: Pick<MemoryReadModel, 'await'>;
  readonly reads: Pick<Reads, 'ofKey' | 'ofSpace'>;
}

/**
 * The status of an operation after its last event in the log. While the facts of a large batch are being applied, which may
 * take a minute, the operation is shown as pending or processing without waiting for that.
 * @throws DomainError like `operationStatus`; WireError 503 like `Reads.ofKey`
 */
export async function currentStatus(deps: CurrentStatusDeps, query: StatusQuery): Promise<OperationStatus> {
  const { store, reads, readModel } = deps;
  const last = await store.lastPosition(memorySubjects.anyOperation(query.operationId.toLowerCase()));
  const key = last && agentKeyOf(last.subject);
  // The operation was never submitted; reading the rows reports an unavailable store as such.
  if (!last || key === undefined) return operationStatus(await reads.ofSpace(query.space, query.minSequence), query);
  const { sequence } = last.position;
  if (!(await readModel.await(sequence, lastEventWaitMs, key))) {
    const shown = await openStatus(await reads.ofKey(query.space, key, query.minSequence), query);
    if (shown) return shown;
  }
  return operationStatus(await reads.ofKey(query.space, key, Math.max(sequence, query.minSequence ?? 0)), query);
}

/** The operation as far as it is applied; undefined when it is not applied at all, or has ended and may have been retried. */
async function openStatus(rows: ReadableRows, query: StatusQuery): Promise<OperationStatus | undefined> {
  try {
    const shown = await operationStatus(rows, query);
    return shown.status === 'pending' || shown.status === 'processing' ? shown : undefined;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'operation-not-found') return undefined;
    throw error;
  }
}

export interface AwaitOperationDeps {
  readonly readModel: Pick<MemoryReadModel, 'assertCurrent' | 'await' | 'isHere' | 'position'>;
  readonly reads: Pick<Reads, 'ofAgent'>;
  readonly waiters: OperationWaiters;
}

/**
 * How long another instance may take to tell whether it has applied a submission, in milliseconds. The gateway waits for one
 * second longer than `waitMs`.
 */
const elsewhereWaitMs = 300;

/** Waits until an operation is completed, failed or cancelled. */
export async function awaitOperation(
  { readModel, reads, waiters }: AwaitOperationDeps,
  { waitMs, submittedSequence, operationId, ...agent }: RequestOf<typeof memoryQuery.awaitOperation>,
): Promise<ReplyOf<typeof memoryQuery.awaitOperation>> {
  const [id, key] = [operationId.toLowerCase(), agentKey(agent)];
  readModel.assertCurrent(key);
  const ended = await waiters.wait({ operationId: id, agentKey: key, submittedSequence, waitMs });
  const unknown = { settled: false, position: null, operation: null };
  if (!ended) {
    if (!(await isApplied(readModel, key, submittedSequence))) return unknown;
    return { ...unknown, settled: !(await operationExists(await reads.ofAgent(agent), id)) };
  }
  const { operation: row, created } = ended;
  if (row.space !== agent.space || row.settledSequence === null) return unknown;
  const position = formatPosition({ stream: memoryStream.name, sequence: row.settledSequence });
  const outcome = { settled: true, position, operation: toStatus(row) };
  if (row.status !== 'completed') return outcome;
  const units = created ?? (await readCreated(await reads.ofAgent(agent), row));
  return { ...outcome, items: await unitsByItem(row, units) };
}

/** Of a lane that another instance holds, this one does not know the position. */
async function isApplied(
  readModel: Pick<MemoryReadModel, 'await' | 'isHere' | 'position'>,
  agentKey: string,
  sequence: number,
): Promise<boolean> {
  if (readModel.position(agentKey) >= sequence) return true;
  return !readModel.isHere(agentKey) && readModel.await(sequence, elsewhereWaitMs, agentKey);
}

/** Whether a submitted operation (still) exists; it is removed only with its agent. */
async function operationExists({ collections, removals }: ReadableRows, operationId: string): Promise<boolean> {
  const agentKey = { $nin: erasedAgents(removals) };
  return (await collections.operations.countDocuments({ _id: operationId, agentKey }, { limit: 1 })) > 0;
}

/** An operation as `/status` shows it; a dismissed one is shown as failed. */
function toStatus(row: StoredOperation): OperationStatus {
  return {
    id: row._id,
    agent_id: row.agentId,
    status: row.status === 'dismissed' ? 'failed' : row.status,
    items_count: row.itemsCount,
    units_created: row.unitsCreated,
    error_message: row.errorMessage,
    created_at: timestamp(row.createdAt),
    updated_at: timestamp(row.updatedAt),
  };
}

function toListed(row: StoredOperation): OperationList['operations'][number] {
  return {
    id: row._id,
    task_type: 'batch_put',
    items_count: row.itemsCount,
    document_id: row.documentId,
    created_at: timestamp(row.createdAt),
    status: row.status === 'failed' ? 'failed' : 'pending',
    error_message: row.errorMessage,
    attempts: row.attempts,
  };
}
