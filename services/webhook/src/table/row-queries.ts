import type { RowOfTable } from '@mneme/contracts';
import type { Filter } from 'mongodb';
import { ofTable } from '../aggregates.ts';
import { fitting } from '../delivery/page.ts';
import { findTable } from '../project-rows/queries.ts';
import type { StoredDelivery, StoredTable } from '../webhook-rows/rows.ts';
import type { Webhooks } from '../webhooks.ts';
import { rowValues } from './row-values.ts';

export interface TableQuery {
  readonly userId: number;
  readonly tableId: number;
}

/** A page of rows; large ones end it early, so that there may be fewer than the limit. */
export async function listRows(
  webhooks: Webhooks,
  query: TableQuery & { limit: number; offset: number; order: 'asc' | 'desc' },
): Promise<{ rows: RowOfTable[]; total: number }> {
  await findTable(webhooks, query);
  await webhooks.deliveryWait.settle([ofTable(query.tableId)]);
  const table = await findTable(webhooks, query);
  const { limit, offset, order } = query;
  const direction = order === 'asc' ? 1 : -1;
  const page = { filter: { tableId: table._id }, sort: { tableId: direction, _id: direction }, limit, offset } as const;
  const { deliveries } = await fitting(webhooks.rows().deliveries, page);
  return { rows: deliveries.map((delivery) => toRow(table, delivery)), total: table.rowCount };
}

/** The rows after one, the oldest first. The first piece waits for what had been received when it was asked. */
export async function exportRows(
  webhooks: Webhooks,
  query: TableQuery & { afterRowId: number; limit: number },
): Promise<{ rows: RowOfTable[]; isLast: boolean }> {
  const { afterRowId, limit } = query;
  await findTable(webhooks, query);
  if (afterRowId === 0) await webhooks.deliveryWait.settle([ofTable(query.tableId)]);
  const table = await findTable(webhooks, query);
  const filter: Filter<StoredDelivery> = { tableId: table._id, _id: { $gt: afterRowId } };
  const page = { filter, sort: { tableId: 1, _id: 1 }, limit, offset: 0 } as const;
  const { deliveries, isCut } = await fitting(webhooks.rows().deliveries, page);
  return { rows: deliveries.map((delivery) => toRow(table, delivery)), isLast: !isCut && deliveries.length < limit };
}

function toRow(table: StoredTable, delivery: StoredDelivery): RowOfTable {
  return { id: delivery._id, created_at: delivery.createdAt.toISOString(), values: rowValues(table.columns, delivery) };
}
