import type { FoundWebhook, RequestOf, WebhookReply, webhook } from '@mneme/contracts';
import { boundedList, findLasting } from '@mneme/read-models';
import { mapInSlices } from '@mneme/workers/time-slices';
import { ofWebhookWith } from '../aggregates.ts';
import type { WebhookDeps } from '../deps.ts';
import { DomainError } from '../errors.ts';
import { isManagedBy, requireProject } from '../project-rows/queries.ts';
import { idsThatFit, toDelivery } from '../webhook-rows/delivery-page.ts';
import type { StoredDelivery, StoredTable, StoredWebhook, WebhookCollections } from '../webhook-rows/rows.ts';

export type WebhookQuery = RequestOf<typeof webhook.deleteWebhook>;

/** @throws DomainError `webhook-not-found` when the user may not manage its project, as when there is no such webhook */
export async function findWebhook(deps: WebhookDeps, { userId, webhookId }: WebhookQuery): Promise<StoredWebhook> {
  const aggregate = await deps.aggregates.ofWebhook(webhookId);
  const webhook = await findLasting(deps, aggregate, () => deps.rows().webhooks.findOne({ _id: webhookId }));
  if (webhook && (await isManagedBy(deps, userId, webhook.projectId))) return webhook;
  throw new DomainError('webhook-not-found');
}

/** @throws DomainError like `findWebhook` */
export async function getWebhook(deps: WebhookDeps, query: WebhookQuery): Promise<WebhookReply> {
  return toWebhook(deps, await findWebhook(deps, query));
}

const tooLarge =
  'The webhooks of the project are too large to be listed at once; read each with GET /api/v3/webhooks/{id}';

/**
 * The webhooks of a project, the newest first, with their newest deliveries; the number of reads is fixed.
 * @throws WireError 413 when they are too large together to be sent at once, beside their deliveries
 */
export async function listWebhooks(
  deps: WebhookDeps,
  query: RequestOf<typeof webhook.listWebhooks>,
): Promise<FoundWebhook[]> {
  await requireProject(deps, query);
  const { projectId } = query;
  const newestFirst = { createdAt: -1, _id: -1 } as const;
  const targets = await deps
    .rows()
    .webhooks.find({ projectId }, { projection: { tableId: 1 } })
    .toArray();
  await deps.deliveryWait.untilProcessed(targets.map(({ _id, tableId }) => ofWebhookWith(_id, tableId)));
  const rows = deps.rows();
  const listed = await rows.webhooks.find({ projectId }).sort(newestFirst).toArray();
  const [tables, deliveries] = await Promise.all([tablesOf(rows, listed), recentDeliveries(rows, listed)]);
  const show = (webhook: StoredWebhook) => {
    const table = webhook.tableId === null ? undefined : tables.get(webhook.tableId);
    return {
      ...toWebhook(deps, webhook),
      table_name: table?.name ?? null,
      // The specification has the same in both.
      table_display_name: table?.name ?? null,
      totalCalls: webhook.totalCalls,
      lastTriggered: webhook.lastTriggeredAt?.toISOString() ?? null,
    };
  };
  const found = await boundedList(listed, show, tooLarge);
  const recentIds = new Map(listed.map(({ _id, recentCallIds }) => [_id, recentCallIds]));
  return mapInSlices(found, (webhook) => {
    const recent = (recentIds.get(webhook.id) ?? []).flatMap((id) => deliveries.get(id) ?? []);
    return { ...webhook, recentLogs: recent.map((delivery) => toDelivery(webhook.id, delivery)) };
  });
}

/** A webhook with its token, for users who may manage it. */
export function toWebhook({ openToken }: WebhookDeps, webhook: StoredWebhook): WebhookReply {
  const { _id: id, verification, deduplicate } = webhook;
  return {
    id,
    project_id: webhook.projectId,
    table_id: webhook.tableId,
    name: webhook.name,
    token: openToken(webhook),
    token_prefix: webhook.tokenPrefix,
    is_active: webhook.isActive ? 1 : 0,
    verification: { type: verification.type },
    deduplicate,
    created_by: webhook.createdBy,
    created_at: webhook.createdAt.toISOString(),
  };
}

async function tablesOf(
  { tables }: WebhookCollections,
  webhooks: readonly StoredWebhook[],
): Promise<ReadonlyMap<number, Pick<StoredTable, 'name'>>> {
  const ids = webhooks.flatMap(({ tableId }) => tableId ?? []);
  const found = await tables.find({ _id: { $in: ids } }, { projection: { name: 1 } }).toArray();
  return new Map(found.map((table) => [table._id, table]));
}

/** As many recent deliveries as fit into one reply: the newest of each webhook before the second newest of any. */
async function recentDeliveries(
  { deliveries }: WebhookCollections,
  webhooks: readonly StoredWebhook[],
): Promise<ReadonlyMap<number, StoredDelivery>> {
  const rank = new Map(webhooks.flatMap(({ recentCallIds }) => recentCallIds.map((id, index) => [id, index] as const)));
  const sizes = await deliveries.find({ _id: { $in: [...rank.keys()] } }, { projection: { bytes: 1 } }).toArray();
  const byRank = sizes.sort((left, right) => (rank.get(left._id) ?? 0) - (rank.get(right._id) ?? 0));
  const found = await deliveries.find({ _id: { $in: idsThatFit(byRank) } }).toArray();
  return new Map(found.map((delivery) => [delivery._id, delivery]));
}
