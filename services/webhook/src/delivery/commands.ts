import { createHash } from 'node:crypto';
import type { DeliveryReply, DeliveryStatus, ReplayReply } from '@mneme/contracts';
import { type EventContext, execute } from '@mneme/event-store';
import { findLasting } from '@mneme/read-models';
import { toDelivery } from '../call/call-forms.ts';
import { DomainError } from '../errors.ts';
import { findWebhook } from '../project-rows/queries.ts';
import { replayed } from '../read-model/replay-filter.ts';
import { toReplay } from '../replay/replay-forms.ts';
import { webhookDecider } from '../webhook/decider.ts';
import { type Carried, confirmCommand, type Webhooks } from '../webhooks.ts';
import type { WebhookQuery } from './queries.ts';

/**
 * Has a call worked off once more, and waits for it.
 * @throws DomainError `webhook-not-found`, `delivery-not-found`
 */
export async function replayDelivery(
  webhooks: Webhooks,
  request: WebhookQuery & { deliveryId: number; commandId: string },
  context: EventContext,
): Promise<Carried<DeliveryReply>> {
  const { userId, webhookId, deliveryId, commandId } = request;
  const find = () => webhooks.rows().deliveries.findOne({ _id: deliveryId, webhookId });
  await findWebhook(webhooks, request);
  const aggregate = await webhooks.aggregates.ofWebhook(webhookId);
  if (!(await findLasting(webhooks, aggregate, find))) throw new DomainError('delivery-not-found');
  const { store, subjects, deliveryWait } = webhooks;
  const data = { webhookId, callId: deliveryId, replay: null };
  const once = { ...context, eventId: idOf([userId, commandId, deliveryId]) };
  const position = await store.append(subjects.deliveries(webhookId), [{ type: 'CallReplayed', data }], 'any', once);
  await deliveryWait.settleUpTo(position.sequence, [aggregate]);
  const delivery = await find();
  if (!delivery) throw new DomainError('delivery-not-found');
  return { value: toDelivery(webhookId, delivery), position };
}

export interface ReplayDeliveriesRequest extends WebhookQuery {
  readonly since: string | null;
  readonly status: DeliveryStatus;
  readonly commandId: string;
}

/** Has many calls worked off once more, in the background. */
export async function replayDeliveries(
  webhooks: Webhooks,
  request: ReplayDeliveriesRequest,
  context: EventContext,
): Promise<Carried<ReplayReply>> {
  await findWebhook(webhooks, request);
  const { deliveryWait, store, subjects, rows, aggregates } = webhooks;
  await deliveryWait.settle([await aggregates.ofWebhook(request.webhookId)]);
  const { webhookId, status, since, commandId } = request;
  const { recentCallIds, tableId } = await findWebhook(webhooks, request);
  // Without a table there is nothing that a call could become.
  const upTo = tableId === null ? 0 : (recentCallIds[0] ?? 0);
  const filter = replayed(webhookId, { status, since: since === null ? null : new Date(since), upTo, cursor: 0 });
  const calls = await rows().deliveries.countDocuments(filter);
  const replay = { webhookId, status, since, upTo, calls, commandId };
  const subject = subjects.webhook(webhookId);
  const { position } = await execute(store, webhookDecider, subject, { type: 'RequestReplay', replay }, context);
  await confirmCommand(webhooks, subject, position);
  return { value: toReplay((await findWebhook(webhooks, request)).replay), position };
}

export async function replayProgress(webhooks: Webhooks, query: WebhookQuery): Promise<ReplayReply> {
  return toReplay((await findWebhook(webhooks, query)).replay);
}

function idOf(parts: readonly (string | number)[]): string {
  return `replay-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`;
}
