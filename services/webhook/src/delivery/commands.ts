import { hash } from 'node:crypto';
import {
  type DeliveryReply,
  type ReplayReply,
  type RequestOf,
  WireError,
  type webhook,
  webhookSubjects,
} from '@mneme/contracts';
import { type EventContext, execute, type Position } from '@mneme/event-store';
import { type CommandResult, findLasting } from '@mneme/read-models';
import type { WebhookDeps } from '../deps.ts';
import { DomainError } from '../errors.ts';
import { executeOnWebhook } from '../webhook/commands.ts';
import { findWebhook } from '../webhook/queries.ts';
import { toDelivery } from '../webhook-rows/delivery-page.ts';
import { countReplayed } from '../webhook-rows/replayed-deliveries.ts';
import type { StoredReplay } from '../webhook-rows/rows.ts';
import { deliveriesDecider } from './decider.ts';
import { toReplay } from './queries.ts';

/**
 * Has a delivery processed again, and waits for the outcome. A command that has succeeded before only reads the delivery.
 * @throws DomainError `webhook-not-found`, `delivery-not-found`
 */
export async function replayDelivery(
  deps: WebhookDeps,
  request: RequestOf<typeof webhook.replayDelivery>,
  context: EventContext,
): Promise<CommandResult<DeliveryReply>> {
  const { webhookId, deliveryId } = request;
  const find = () => deps.rows().deliveries.findOne({ _id: deliveryId, webhookId });
  await findWebhook(deps, request);
  const aggregate = await deps.aggregates.ofWebhook(webhookId);
  if (!(await findLasting(deps, aggregate, find))) throw new DomainError('delivery-not-found');
  const position = request.isRepeat ? undefined : await requestReplay(deps, request, context);
  if (position) await deps.deliveryWait.untilProcessedUpTo(position.sequence, [aggregate]);
  else await deps.deliveryWait.untilProcessed([aggregate]);
  const delivery = await find();
  if (!delivery) throw new DomainError('delivery-not-found');
  return { value: toDelivery(webhookId, delivery), position };
}

async function requestReplay(
  { store }: WebhookDeps,
  { userId, webhookId, deliveryId, commandId }: RequestOf<typeof webhook.replayDelivery>,
  context: EventContext,
): Promise<Position | undefined> {
  const command = { type: 'ReplayDeliveries', webhookId, deliveryIds: [deliveryId], replay: null } as const;
  // The event store takes an event id once within two minutes, so that repeats at the same time replay nothing twice.
  const once = { ...context, eventId: replayEventId([userId, commandId, deliveryId]) };
  const subject = webhookSubjects.deliveries(webhookId);
  const { position } = await execute(store, deliveriesDecider, subject, command, once, { history: 'irrelevant' });
  return position;
}

/**
 * Has all deliveries of a status since a time processed again, in the background.
 * @throws DomainError `webhook-not-found`; WireError 409 while an earlier one is not done, unless it is to be replaced
 */
export async function replayDeliveries(
  deps: WebhookDeps,
  request: RequestOf<typeof webhook.replayDeliveries>,
  context: EventContext,
): Promise<CommandResult<ReplayReply>> {
  await findWebhook(deps, request);
  const { deliveryWait, rows, aggregates } = deps;
  await deliveryWait.untilProcessed([await aggregates.ofWebhook(request.webhookId)]);
  const { webhookId, status, since, commandId, isReplacing = false } = request;
  const { recentCallIds, tableId } = await findWebhook(deps, request);
  // Deliveries of a webhook without a table are stored only; there is nothing to process.
  const upTo = tableId === null ? 0 : (recentCallIds[0] ?? 0);
  const range = { webhookId, status, since: since === null ? null : new Date(since), upTo, cursor: 0 };
  const deliveries = await countReplayed(rows(), range);
  const replay = { webhookId, status, since, upTo, calls: deliveries, commandId };
  const command = { type: 'RequestReplay', replay, isReplacing } as const;
  const refuse = async (error: unknown) => {
    if (!isUnderWay(error)) throw error;
    // So that the refusal says how far that replay is.
    await deps.progress.confirm(webhookSubjects.webhook(webhookId), undefined);
    throw underWay(webhookId, (await findWebhook(deps, request)).replay);
  };
  const done = await executeOnWebhook(deps, webhookId, command, context).catch(refuse);
  const position = await deps.progress.confirm(webhookSubjects.webhook(webhookId), done.position);
  return { value: toReplay((await findWebhook(deps, request)).replay), position };
}

function isUnderWay(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'replay-under-way';
}

/** A caller who waits as it says may send the same request again, so the answer is not kept for its `Idempotency-Key`. */
function underWay(webhookId: number, replay: StoredReplay | null): WireError {
  const whatToDo = `Wait until GET /api/v3/webhooks/${webhookId}/replay says is_done, or send "replace": true to end it`;
  const message = `An earlier replay of this webhook is not done: ${toReplay(replay).message}. ${whatToDo}`;
  return new WireError({ status: 409, code: 'CONFLICT', message, extra: { retry_after: 5 } });
}

function replayEventId(parts: readonly (string | number)[]): string {
  return `replay-${hash('sha256', JSON.stringify(parts)).slice(0, 32)}`;
}
