import { createHash } from 'node:crypto';
import type { CallReply, CallStatus, ReplayReply } from '@mneme/contracts';
import { type EventContext, execute } from '@mneme/event-store';
import { findLasting } from '@mneme/read-models';
import { toCall } from '../call/call-forms.ts';
import { DomainError } from '../errors.ts';
import { findWebhook } from '../project-rows/queries.ts';
import { replayed } from '../read-model/replay-filter.ts';
import { toReplay } from '../replay/replay-forms.ts';
import { webhookDecider } from '../webhook/decider.ts';
import { type Carried, confirmCommand, type Webhooks } from '../webhooks.ts';
import type { WebhookQuery } from './queries.ts';

/**
 * Has a call worked off once more, and waits for it.
 * @throws DomainError `webhook-not-found`, `call-not-found`
 */
export async function replayCall(
  webhooks: Webhooks,
  request: WebhookQuery & { callId: number; commandId: string },
  context: EventContext,
): Promise<Carried<CallReply>> {
  const { userId, webhookId, callId, commandId } = request;
  const find = () => webhooks.rows().calls.findOne({ _id: callId, webhookId });
  await findWebhook(webhooks, request);
  const aggregate = await webhooks.aggregates.ofWebhook(webhookId);
  if (!(await findLasting(webhooks, aggregate, find))) throw new DomainError('call-not-found');
  const { store, subjects, deliveryWait } = webhooks;
  const data = { webhookId, callId, replay: null };
  const once = { ...context, eventId: idOf([userId, commandId, callId]) };
  const position = await store.append(subjects.calls(webhookId), [{ type: 'CallReplayed', data }], 'any', once);
  await deliveryWait.settleUpTo(position.sequence, [aggregate]);
  const call = await find();
  if (!call) throw new DomainError('call-not-found');
  return { value: toCall(webhookId, call), position };
}

export interface ReplayCallsRequest extends WebhookQuery {
  readonly since: string | null;
  readonly status: CallStatus;
  readonly commandId: string;
}

/** Has many calls worked off once more, in the background. */
export async function replayCalls(
  webhooks: Webhooks,
  request: ReplayCallsRequest,
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
  const calls = await rows().calls.countDocuments(filter);
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
