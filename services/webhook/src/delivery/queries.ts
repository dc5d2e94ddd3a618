import type { DeliveryList, DeliveryReply } from '@mneme/contracts';
import { toDelivery } from '../call/call-forms.ts';
import { findWebhook } from '../project-rows/queries.ts';
import type { Webhooks } from '../webhooks.ts';
import { fitting } from './page.ts';

export interface WebhookQuery {
  readonly userId: number;
  readonly webhookId: number;
}

/** A page of logs, the newest first; large ones end it early, so that there may be fewer than the limit. */
export async function listDeliveries(
  webhooks: Webhooks,
  query: WebhookQuery & { limit: number; offset: number },
): Promise<DeliveryList> {
  await findWebhook(webhooks, query);
  await webhooks.deliveryWait.settle([await webhooks.aggregates.ofWebhook(query.webhookId)]);
  const { webhookId, limit, offset } = query;
  const { totalCalls: total } = await findWebhook(webhooks, query);
  const page = { filter: { webhookId }, sort: { webhookId: -1, _id: -1 }, limit, offset } as const;
  const { deliveries } = await fitting(webhooks.rows().deliveries, page);
  return { logs: deliveries.map((delivery) => toDelivery(webhookId, delivery)), pagination: { total, limit, offset } };
}

/** The calls after one, oldest first, up to the last one that is worked off; later ones may still be at it. */
export async function settledDeliveries(
  webhooks: Webhooks,
  {
    webhookId,
    afterDeliveryId,
    upTo,
    limit,
  }: { webhookId: number; afterDeliveryId: number; upTo: number; limit: number },
): Promise<DeliveryReply[]> {
  const filter = { webhookId, _id: { $gt: afterDeliveryId, $lte: upTo } };
  const { deliveries } = await fitting(webhooks.rows().deliveries, {
    filter,
    sort: { webhookId: 1, _id: 1 },
    limit,
    offset: 0,
  });
  return deliveries.map((delivery) => toDelivery(webhookId, delivery));
}
