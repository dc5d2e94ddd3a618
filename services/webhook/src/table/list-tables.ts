import type { TableReply } from '@mneme/contracts';
import { findTable, requireProject } from '../access/find-managed.ts';
import type { Webhooks } from '../webhooks.ts';
import { toTable } from './table-forms.ts';

/** The newest first. */
export async function listTables(
  webhooks: Webhooks,
  query: { userId: number; projectId: number },
): Promise<TableReply[]> {
  await requireProject(webhooks, query);
  await webhooks.settling.settle();
  const { projectId } = query;
  return (await webhooks.rows().tables.find({ projectId }).sort({ _id: -1 }).toArray()).map(toTable);
}

export async function getTable(webhooks: Webhooks, query: { userId: number; tableId: number }): Promise<TableReply> {
  await findTable(webhooks, query);
  await webhooks.settling.settle();
  return toTable(await findTable(webhooks, query));
}
