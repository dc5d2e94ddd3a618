import type { RecordedColumn, TableReply } from '@mneme/contracts';
import { assignId, type EventContext, execute, type Position } from '@mneme/event-store';
import { requireProject } from '../project-rows/queries.ts';
import { tableName } from '../table-names/commands.ts';
import { tableNamesDecider } from '../table-names/decider.ts';
import type { Carried, Webhooks } from '../webhooks.ts';
import { tableDecider } from './decider.ts';
import { toTable } from './table-forms.ts';

export interface CreateTableRequest {
  readonly userId: number;
  readonly projectId: number;
  readonly name: string;
  readonly columns: readonly RecordedColumn[];
  readonly commandId: string;
}

/** Two tables of a project that are made at once both get a name in the end. */
const maxNameAttempts = 50;

/** @throws DomainError `project-not-found` */
export async function createTable(
  webhooks: Webhooks,
  request: CreateTableRequest,
  context: EventContext,
): Promise<Carried<TableReply>> {
  await requireProject(webhooks, request);
  const { tableId, position } = await addTable(webhooks, request, context);
  const { store, subjects, progress } = webhooks;
  // The bucket holds nothing of tables, so that waiting for it would be in vain.
  await progress.reach(position?.sequence ?? (await store.head(subjects.table(tableId))));
  const table = await webhooks.rows().tables.findOne({ _id: tableId });
  if (!table) throw new Error(`Table ${tableId} has no row`);
  return { value: toTable(table), position };
}

/** Makes a table in a project; the same command again finds it. */
export async function addTable(
  webhooks: Webhooks,
  { userId, projectId, name: displayName, columns, commandId }: CreateTableRequest,
  context: EventContext,
): Promise<{ tableId: number; position: Position | undefined }> {
  const { store, subjects } = webhooks;
  const tableId = await assignId(webhooks, { kind: 'table', userId, commandId }, context);
  const take = { type: 'TakeTableName', projectId, tableId, wanted: tableName(displayName) } as const;
  const attempts = { attempts: maxNameAttempts };
  const names = await execute(store, tableNamesDecider, subjects.tableNames(projectId), take, context, attempts);
  const name = names.state.get(tableId);
  if (name === undefined) throw new Error(`Table ${tableId} has no name`);
  const made = { tableId, projectId, name, displayName, columns: [...columns], createdBy: userId, commandId };
  const command = { type: 'CreateTable', table: made } as const;
  const { position } = await execute(store, tableDecider, subjects.table(tableId), command, context);
  return { tableId, position };
}
