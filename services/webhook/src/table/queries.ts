import type { TableReply } from '@mneme/contracts';
import { ofTable } from '../aggregates.ts';
import { findTable, requireProject } from '../project-rows/queries.ts';
import type { Webhooks } from '../webhooks.ts';
import { toTable } from './table-forms.ts';

/** The newest first. */
export async function listTables(
  webhooks: Webhooks,
  query: { userId: number; projectId: number },
): Promise<TableReply[]> {
  await requireProject(webhooks, query);
  const { projectId } = query;
  const listed = () => webhooks.rows().tables.find({ projectId }).sort({ _id: -1 });
  const ids = await listed().project<{ _id: number }>({ _id: 1 }).toArray();
  await webhooks.deliveryWait.settle(ids.map(({ _id }) => ofTable(_id)));
  return (await listed().toArray()).map(toTable);
}

export async function getTable(webhooks: Webhooks, query: { userId: number; tableId: number }): Promise<TableReply> {
  await findTable(webhooks, query);
  await webhooks.deliveryWait.settle([ofTable(query.tableId)]);
  return toTable(await findTable(webhooks, query));
}
