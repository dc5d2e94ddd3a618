import { type RequestOf, type TableReply, type webhook, webhookStream, webhookSubjects } from '@mneme/contracts';
import { type EventContext, execute, type Position } from '@mneme/event-store';
import { assertRoom, type CommandResult } from '@mneme/read-models';
import type { WebhookDeps } from '../deps.ts';
import { requireProject } from '../project-rows/queries.ts';
import { takeTableName } from '../table-names/commands.ts';
import { tableDecider } from './decider.ts';
import { toTable } from './queries.ts';

type CreateTableRequest = RequestOf<typeof webhook.createTable>;

/** @throws DomainError `project-not-found` */
export async function createTable(
  deps: WebhookDeps,
  request: CreateTableRequest,
  context: EventContext,
): Promise<CommandResult<TableReply>> {
  await requireProject(deps, request);
  const { tableId, position: appended } = await addTable(deps, request, context);
  const { store, progress } = deps;
  const subject = webhookSubjects.table(tableId);
  const position = appended ?? { stream: webhookStream.name, sequence: await store.head(subject) };
  // Only the read model: the bucket has no records of tables.
  await progress.reach(position.sequence);
  const table = await deps.rows().tables.findOne({ _id: tableId });
  if (!table) throw new Error(`Table ${tableId} has no row`);
  return { value: toTable(table), position };
}

/**
 * Adds a table to a project; a repeated command finds the table that it has added.
 * @throws WireError 409 when the project has as many tables as one may have
 */
export async function addTable(
  deps: WebhookDeps,
  { userId, projectId, name: displayName, columns, commandId }: CreateTableRequest,
  context: EventContext,
): Promise<{ tableId: number; position: Position | undefined }> {
  const { store } = deps;
  const beforeNew = () => assertRoomForTable(deps, projectId);
  const tableId = await deps.ids.assign({ kind: 'table', userId, commandId, beforeNew }, context);
  const name = await takeTableName(deps, { projectId, tableId, displayName }, context);
  const table = { tableId, projectId, name, displayName, columns, createdBy: userId, commandId };
  const command = { type: 'CreateTable', table } as const;
  const { position } = await execute(store, tableDecider, webhookSubjects.table(tableId), command, context);
  return { tableId, position };
}

/** @throws WireError 409 when the project has as many tables as one may have */
export function assertRoomForTable({ rows, itemsPerUser: most }: WebhookDeps, projectId: number): Promise<void> {
  return assertRoom({ rows: rows().tables, filter: { projectId }, most, what: 'tables', owner: 'project' });
}
