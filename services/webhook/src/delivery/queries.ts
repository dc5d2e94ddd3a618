import type { CallList, CallReply } from '@mneme/contracts';
import { toCall } from '../call/call-forms.ts';
import { findWebhook } from '../project-rows/queries.ts';
import type { Webhooks } from '../webhooks.ts';
import { fitting } from './page.ts';

export interface WebhookQuery {
  readonly userId: number;
  readonly webhookId: number;
}

/** A page of logs, the newest first; large ones end it early, so that there may be fewer than the limit. */
export async function listCalls(
  webhooks: Webhooks,
  query: WebhookQuery & { limit: number; offset: number },
): Promise<CallList> {
  await findWebhook(webhooks, query);
  await webhooks.deliveryWait.settle([await webhooks.aggregates.ofWebhook(query.webhookId)]);
  const { webhookId, limit, offset } = query;
  const { totalCalls: total } = await findWebhook(webhooks, query);
  const page = { filter: { webhookId }, sort: { webhookId: -1, _id: -1 }, limit, offset } as const;
  const { calls } = await fitting(webhooks.rows().calls, page);
  return { logs: calls.map((call) => toCall(webhookId, call)), pagination: { total, limit, offset } };
}

/** The calls after one, oldest first, up to the last one that is worked off; later ones may still be at it. */
export async function settledCalls(
  webhooks: Webhooks,
  { webhookId, afterCallId, upTo, limit }: { webhookId: number; afterCallId: number; upTo: number; limit: number },
): Promise<CallReply[]> {
  const filter = { webhookId, _id: { $gt: afterCallId, $lte: upTo } };
  const { calls } = await fitting(webhooks.rows().calls, { filter, sort: { webhookId: 1, _id: 1 }, limit, offset: 0 });
  return calls.map((call) => toCall(webhookId, call));
}
