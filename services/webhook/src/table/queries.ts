import { type RowOfTable, type TableReply, WireError } from '@mneme/contracts';
import { findLasting } from '@mneme/read-models';
import { createTimeSlice } from '@mneme/workers/time-slices';
import type { Filter } from 'mongodb';
import { ofTable } from '../aggregates.ts';
import type { Webhooks } from '../deps.ts';
import { DomainError } from '../errors.ts';
import { isManagedBy, requireProject } from '../project-rows/queries.ts';
import { readPage } from '../webhook-rows/delivery-page.ts';
import type { StoredDelivery, StoredTable } from '../webhook-rows/rows.ts';
import { rowsThatFit } from './row-values.ts';

export interface TableQuery {
  readonly userId: number;
  readonly tableId: number;
}

/** The most bytes of tables in one reply; with many columns a table may have half a megabyte. */
const maxListBytes = 16 * 1024 * 1024;

/**
 * The tables of a project, the newest first.
 * @throws WireError 413 when they have too many columns to be sent at once
 */
export async function listTables(
  webhooks: Webhooks,
  query: { userId: number; projectId: number },
): Promise<TableReply[]> {
  await requireProject(webhooks, query);
  const { projectId } = query;
  const listed = () => webhooks.rows().tables.find({ projectId }).sort({ _id: -1 });
  const ids = await listed().project<{ _id: number }>({ _id: 1 }).toArray();
  await webhooks.deliveryWait.untilProcessed(ids.map(({ _id }) => ofTable(_id)));
  const tables: TableReply[] = [];
  const slice = createTimeSlice();
  let left = maxListBytes;
  for await (const stored of listed()) {
    const table = toTable(stored);
    left -= Buffer.byteLength(JSON.stringify(table));
    if (left < 0) throw tooManyColumns();
    tables.push(table);
    if (slice.isOver()) await slice.next();
  }
  return tables;
}

function tooManyColumns(): WireError {
  const message =
    'The tables of the project have too many columns to be listed at once; read each with GET /api/v3/tables/{id}';
  return new WireError({ status: 413, code: 'PAYLOAD_TOO_LARGE', message });
}

export async function getTable(webhooks: Webhooks, query: TableQuery): Promise<TableReply> {
  return toTable(await findProcessedTable(webhooks, query));
}

/** A page of rows. Large payloads or rows end the page early, below the limit: the next page begins after its last row. */
export async function listRows(
  webhooks: Webhooks,
  query: TableQuery & { limit: number; offset: number; order: 'asc' | 'desc' },
): Promise<{ rows: RowOfTable[]; total: number }> {
  const table = await findProcessedTable(webhooks, query);
  const { limit, offset, order } = query;
  const direction = order === 'asc' ? 1 : -1;
  const page = { filter: { tableId: table._id }, sort: { tableId: direction, _id: direction }, limit, offset } as const;
  const { deliveries } = await readPage(webhooks.rows().deliveries, page);
  return { rows: await rowsThatFit(table.columns, deliveries), total: table.rowCount };
}

/** The rows after one, the oldest first. The first part of an export waits for what had been received when it began. */
export async function exportRows(
  webhooks: Webhooks,
  query: TableQuery & { afterRowId: number; limit: number },
): Promise<{ rows: RowOfTable[]; isLast: boolean }> {
  const { afterRowId, limit } = query;
  const table = await (afterRowId === 0 ? findProcessedTable : findTable)(webhooks, query);
  const filter: Filter<StoredDelivery> = { tableId: table._id, _id: { $gt: afterRowId } };
  const page = { filter, sort: { tableId: 1, _id: 1 }, limit, offset: 0 } as const;
  const { deliveries, isCut } = await readPage(webhooks.rows().deliveries, page);
  const rows = await rowsThatFit(table.columns, deliveries);
  return { rows, isLast: !isCut && rows.length === deliveries.length && rows.length < limit };
}

/** @throws DomainError `table-not-found` when the table is not of this project, as when there is no such table */
export async function requireTableOf(webhooks: Webhooks, projectId: number, tableId: number): Promise<void> {
  const found = await findLasting(webhooks, ofTable(tableId), () =>
    webhooks.rows().tables.findOne({ _id: tableId, projectId }),
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

/** The table once everything that had been received is processed; only a user who may manage it waits. */
async function findProcessedTable(webhooks: Webhooks, query: TableQuery): Promise<StoredTable> {
  await findTable(webhooks, query);
  await webhooks.deliveryWait.untilProcessed([ofTable(query.tableId)]);
  return findTable(webhooks, query);
}

/** @throws DomainError `table-not-found` when the user may not manage its project, as when there is no such table */
async function findTable(webhooks: Webhooks, { userId, tableId }: TableQuery): Promise<StoredTable> {
  const table = await findLasting(webhooks, ofTable(tableId), () => webhooks.rows().tables.findOne({ _id: tableId }));
  if (table && (await isManagedBy(webhooks, userId, table.projectId))) return table;
  throw new DomainError('table-not-found');
}
