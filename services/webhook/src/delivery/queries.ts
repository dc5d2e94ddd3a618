import type { DeliveryList, DeliveryReply, ReplayReply, RequestOf, webhook } from '@mneme/contracts';
import type { WebhookDeps } from '../deps.ts';
import { findWebhook, type WebhookQuery } from '../webhook/queries.ts';
import { readPage, toDelivery } from '../webhook-rows/delivery-page.ts';
import type { StoredReplay } from '../webhook-rows/rows.ts';

/** A page of deliveries, the newest first, of a status if one is given. Large payloads end the page early, below the limit. */
export async function listDeliveries(
  deps: WebhookDeps,
  query: RequestOf<typeof webhook.listDeliveries>,
): Promise<DeliveryList> {
  await findWebhook(deps, query);
  await deps.deliveryWait.untilProcessed([await deps.aggregates.ofWebhook(query.webhookId)]);
  const { webhookId, limit, offset, status } = query;
  const stored = deps.rows().deliveries;
  const filter = status === undefined ? { webhookId } : { webhookId, status };
  const { deliveries } = await readPage(stored, { filter, sort: { webhookId: -1, _id: -1 }, limit, offset });
  // Counted after the page, which may have deliveries that came meanwhile: otherwise an older one would be on no page.
  const { totalCalls: deliveriesOfAnyStatus } = await findWebhook(deps, query);
  const total = status === undefined ? deliveriesOfAnyStatus : await stored.countDocuments(filter);
  return {
    logs: deliveries.map((delivery) => toDelivery(webhookId, delivery)),
    pagination: { total, limit, offset },
  };
}

export interface ProcessedQuery {
  readonly webhookId: number;
  readonly afterDeliveryId: number;
  /** The last delivery that is processed; later ones may still be waiting for it. */
  readonly upTo: number;
  readonly limit: number;
}

/** The processed deliveries after one, oldest first. */
export async function processedDeliveries(
  deps: WebhookDeps,
  { webhookId, afterDeliveryId, upTo, limit }: ProcessedQuery,
): Promise<DeliveryReply[]> {
  const filter = { webhookId, _id: { $gt: afterDeliveryId, $lte: upTo } };
  const page = { filter, sort: { webhookId: 1, _id: 1 }, limit, offset: 0 } as const;
  const { deliveries } = await readPage(deps.rows().deliveries, page);
  return deliveries.map((delivery) => toDelivery(webhookId, delivery));
}

export async function replayProgress(deps: WebhookDeps, query: WebhookQuery): Promise<ReplayReply> {
  return toReplay((await findWebhook(deps, query)).replay);
}

/** The progress of a webhook's newest replay; without a replay it is done. */
export function toReplay(replay: StoredReplay | null): ReplayReply {
  const { calls, processed, failed, isQueued } = replay ?? { calls: 0, processed: 0, failed: 0, isQueued: true };
  const progress = { calls, processed, failed, is_done: isQueued && processed + failed >= calls };
  return { ...progress, message: replay ? progressMessage(progress) : noReplay };
}

const noReplay = 'No deliveries have been replayed yet';

function progressMessage({ calls, processed, failed, is_done }: Omit<ReplayReply, 'message'>): string {
  const replayed = is_done ? calls : `${processed + failed} of ${calls}`;
  return `${replayed} deliveries replayed${failed > 0 ? `, ${failed} of them failed` : ''}`;
}
