import type { ListedWebhookReply } from '@mneme/contracts';
import { toDelivery } from '../call/call-forms.ts';
import { beginning } from '../delivery/page.ts';
import { requireProject } from '../project-rows/queries.ts';
import type { StoredDelivery, StoredTable, StoredWebhook, WebhookCollections } from '../webhook-rows/rows.ts';
import type { Webhooks } from '../webhooks.ts';
import { toWebhook } from './webhook-forms.ts';

/** The webhooks of a project, the newest first, with their newest calls; three queries, however many webhooks there are. */
export async function listWebhooks(
  webhooks: Webhooks,
  query: { userId: number; projectId: number },
): Promise<ListedWebhookReply[]> {
  await requireProject(webhooks, query);
  const { projectId } = query;
  const newestFirst = { createdAt: -1, _id: -1 } as const;
  const ids = await webhooks
    .rows()
    .webhooks.find({ projectId }, { projection: { _id: 1 } })
    .toArray();
  await webhooks.deliveryWait.settle(await Promise.all(ids.map(({ _id }) => webhooks.aggregates.ofWebhook(_id))));
  const rows = webhooks.rows();
  const listed = await rows.webhooks.find({ projectId }).sort(newestFirst).toArray();
  const [tables, deliveries] = await Promise.all([tablesOf(rows, listed), recentDeliveries(rows, listed)]);
  return listed.map((webhook) => {
    const table = webhook.tableId === null ? undefined : tables.get(webhook.tableId);
    const recent = webhook.recentCallIds.flatMap((id) => deliveries.get(id) ?? []);
    return {
      ...toWebhook(webhooks.sealing, webhook),
      table_name: table?.name ?? null,
      // The specification has the same in both.
      table_display_name: table?.name ?? null,
      recentLogs: recent.map((delivery) => toDelivery(webhook._id, delivery)),
      totalCalls: webhook.totalCalls,
      lastTriggered: webhook.lastTriggeredAt?.toISOString() ?? null,
    };
  });
}

async function tablesOf(
  { tables }: WebhookCollections,
  webhooks: readonly StoredWebhook[],
): Promise<ReadonlyMap<number, Pick<StoredTable, 'name'>>> {
  const ids = webhooks.flatMap(({ tableId }) => tableId ?? []);
  const names = { projection: { name: 1 } };
  const found = await tables.find({ _id: { $in: ids } }, names).toArray();
  return new Map(found.map((table) => [table._id, table]));
}

/** The newest calls of all, as many as one answer can hold: the newest of each webhook before the second newest of any. */
async function recentDeliveries(
  { deliveries }: WebhookCollections,
  webhooks: readonly StoredWebhook[],
): Promise<ReadonlyMap<number, StoredDelivery>> {
  const rank = new Map(webhooks.flatMap(({ recentCallIds }) => recentCallIds.map((id, index) => [id, index] as const)));
  const sizes = await deliveries.find({ _id: { $in: [...rank.keys()] } }, { projection: { bytes: 1 } }).toArray();
  const byRank = sizes.sort((left, right) => (rank.get(left._id) ?? 0) - (rank.get(right._id) ?? 0));
  const found = await deliveries.find({ _id: { $in: beginning(byRank) } }).toArray();
  return new Map(found.map((delivery) => [delivery._id, delivery]));
}
