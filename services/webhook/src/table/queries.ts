import type { ReplyOf, RequestOf, TableReply, webhook } from '@mneme/contracts';
import { boundedList, findLasting } from '@mneme/read-models';
import type { Filter } from 'mongodb';
import { ofTable } from '../aggregates.ts';
import type { WebhookDeps } from '../deps.ts';
import { DomainError } from '../errors.ts';
import { isManagedBy, requireProject } from '../project-rows/queries.ts';
import { readPage } from '../webhook-rows/delivery-page.ts';
import type { StoredDelivery, StoredTable } from '../webhook-rows/rows.ts';
import { rowsThatFit } from './row-values.ts';

type TableQuery = RequestOf<typeof webhook.getTable>;

const tooManyColumns =
  'The tables of the project have too many columns to be listed at once; read each with GET /api/v3/tables/{id}';

/**
 * The tables of a project, the newest first.
 * @throws WireError 413 when they have too many columns to be sent at once
 */
export async function listTables(
  deps: WebhookDeps,
  query: RequestOf<typeof webhook.listTables>,
): Promise<TableReply[]> {
  await requireProject(deps, query);
  const { projectId } = query;
  const listed = () => deps.rows().tables.find({ projectId }).sort({ _id: -1 });
  const ids = await listed().project<{ _id: number }>({ _id: 1 }).toArray();
  await deps.deliveryWait.untilProcessed(ids.map(({ _id }) => ofTable(_id)));
  return boundedList(listed(), toTable, tooManyColumns);
}

export async function getTable(deps: WebhookDeps, query: TableQuery): Promise<TableReply> {
  await untilProcessed(deps, query);
  return toTable(await findTable(deps, query));
}

/** A page of rows. Large payloads or rows end the page early, below the limit: the next page begins after its last row. */
export async function listRows(
  deps: WebhookDeps,
  query: RequestOf<typeof webhook.listRows>,
): Promise<ReplyOf<typeof webhook.listRows>> {
  await untilProcessed(deps, query);
  const { tableId, limit, offset, order } = query;
  const direction = order === 'asc' ? 1 : -1;
  const page = { filter: { tableId }, sort: { tableId: direction, _id: direction }, limit, offset } as const;
  const { deliveries } = await readPage(deps.rows().deliveries, page);
  // Read after the page, which may have rows that came meanwhile: the table counts them, and has their columns.
  const table = await findTable(deps, query);
  return { rows: await rowsThatFit(table.columns, deliveries), total: table.rowCount };
}

/** The rows after one, the oldest first. An export has what had been received when its first part was requested. */
export async function exportRows(
  deps: WebhookDeps,
  query: RequestOf<typeof webhook.exportRows>,
): Promise<ReplyOf<typeof webhook.exportRows>> {
  const { tableId, afterRowId, limit } = query;
  const isFirst = afterRowId === 0;
  // Of the whole log: the last deliveries may be erased from it, with a webhook whose rows stay.
  const upTo = isFirst ? await deps.store.head() : query.upTo;
  if (isFirst) await untilProcessed(deps, query);
  const filter: Filter<StoredDelivery> = {
    tableId,
    _id: { $gt: afterRowId, ...(upTo !== undefined && { $lte: upTo }) },
  };
  const page = { filter, sort: { tableId: 1, _id: 1 }, limit, offset: 0 } as const;
  const { deliveries, isCut } = await readPage(deps.rows().deliveries, page);
  const table = await findTable(deps, query);
  const rows = await rowsThatFit(table.columns, deliveries);
  const isLast = !isCut && rows.length === deliveries.length && rows.length < limit;
  return isFirst ? { rows, isLast, upTo, columns: toTable(table).columns } : { rows, isLast };
}

/** @throws DomainError `table-not-found` when the table is not of this project, as when there is no such table */
export async function requireTableOf(deps: WebhookDeps, projectId: number, tableId: number): Promise<void> {
  const found = await findLasting(deps, ofTable(tableId), () =>
    deps.rows().tables.findOne({ _id: tableId, projectId }),
  );
  if (!found) throw new DomainError('table-not-found');
}

export function toTable(table: StoredTable): TableReply {
  return {
    id: table._id,
    project_id: table.projectId,
    name: table.name,
    display_name: table.displayName,
    columns: table.columns.map((column, index) => ({
      column_name: column.columnName,
      display_name: column.displayName,
      type: column.type,
      order_index: index,
    })),
    row_count: table.rowCount,
    created_at: table.createdAt.toISOString(),
  };
}

/** Waits until everything that the table had received is processed; only a user who may manage it waits. */
async function untilProcessed(deps: WebhookDeps, query: TableQuery): Promise<void> {
  await findTable(deps, query);
  await deps.deliveryWait.untilProcessed([ofTable(query.tableId)]);
}

/** @throws DomainError `table-not-found` when the user may not manage its project, as when there is no such table */
async function findTable(deps: WebhookDeps, { userId, tableId }: TableQuery): Promise<StoredTable> {
  const table = await findLasting(deps, ofTable(tableId), () => deps.rows().tables.findOne({ _id: tableId }));
  if (table && (await isManagedBy(deps, userId, table.projectId))) return table;
  throw new DomainError('table-not-found');
}
