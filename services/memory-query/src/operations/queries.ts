import { type AgentRef, agentKey, type OperationList, type OperationStatus, WireError } from '@mneme/contracts';
import type { ReadableRows } from '../read-model/reads.ts';
import { erasedAgents } from '../read-model/removals.ts';
import type { StoredOperation } from '../read-model/rows.ts';
import { timestamp } from '../read-model/timestamp.ts';

/** So many operations are listed at most; the oldest are the ones that want attention. */
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

/** @throws WireError 404 when the space has no such operation, 403 when it is of another agent than `onlyAgent`. */
export async function operationStatus(
  { collections, removals }: ReadableRows,
  { space, operationId, onlyAgent }: { space: string; operationId: string; onlyAgent?: string | undefined },
): Promise<OperationStatus> {
  const wanted = { _id: operationId.toLowerCase(), space, agentKey: { $nin: erasedAgents(removals) } };
  const row = await collections.operations.findOne(wanted, { projection: { pendingText: 0 } });
  if (row && onlyAgent !== undefined && row.agentId !== onlyAgent) {
    const message = 'The key is bound to another agent';
    throw new WireError({ status: 403, code: 'FORBIDDEN', message });
  }
  if (row) return toStatus(row);
  throw operationNotFound(operationId);
}

export function operationNotFound(operationId: string): WireError {
  return new WireError({ status: 404, code: 'NOT_FOUND', message: `Operation ${operationId} not found` });
}

/** Whether a submitted operation is (still) there; it goes only with its agent. */
export async function operationExists({ collections, removals }: ReadableRows, operationId: string): Promise<boolean> {
  const agentKey = { $nin: erasedAgents(removals) };
  return (await collections.operations.countDocuments({ _id: operationId, agentKey }, { limit: 1 })) > 0;
}

/** An operation as `/status` shows it; a dismissed one has failed. */
export function toStatus(row: StoredOperation): OperationStatus {
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
