import type { WebhookReply } from '@mneme/contracts';
import { type EventContext, execute } from '@mneme/event-store';
import type { WebhookQuery } from '../delivery/queries.ts';
import { DomainError } from '../errors.ts';
import { findWebhook } from '../project-rows/queries.ts';
import { type Carried, confirmCommand, type Webhooks } from '../webhooks.ts';
import { webhookDecider } from './decider.ts';
import { sealVerification, toWebhook, type Verification } from './webhook-forms.ts';

/** What is null stays. */
export interface UpdateWebhookRequest extends WebhookQuery {
  readonly name: string | null;
  readonly isActive: boolean | null;
  readonly verification: Verification | null;
  readonly deduplicate: boolean | null;
}

/** @throws DomainError `webhook-not-found` */
export async function updateWebhook(
  webhooks: Webhooks,
  request: UpdateWebhookRequest,
  context: EventContext,
): Promise<Carried<WebhookReply>> {
  await findWebhook(webhooks, request);
  const { store, subjects, sealing } = webhooks;
  const { webhookId, name, isActive, deduplicate } = request;
  const verification = request.verification && sealVerification(sealing, webhookId, request.verification);
  const command = { type: 'ChangeWebhook', change: { name, isActive, deduplicate, verification } } as const;
  const subject = subjects.webhook(webhookId);
  const { position } = await execute(store, webhookDecider, subject, command, context);
  await confirmCommand(webhooks, subject, position);
  const row = await webhooks.rows().webhooks.findOne({ _id: webhookId });
  if (!row) throw new DomainError('webhook-not-found');
  return { value: toWebhook(sealing, row), position };
}

/**
 * Ends a webhook. Its logs are gone from the read model when this returns; its calls go from the event log in the
 * background.
 * @throws DomainError `webhook-not-found`
 */
export async function deleteWebhook(
  webhooks: Webhooks,
  request: WebhookQuery,
  context: EventContext,
): Promise<Carried<{ name: string; deliveries: number }>> {
  const { name } = await findWebhook(webhooks, request);
  const { store, subjects, aggregates } = webhooks;
  // The calls that came until now are worked off first, so that their rows are there to stay.
  await webhooks.deliveryWait.settle([await aggregates.ofWebhook(request.webhookId)]);
  const { totalCalls: deliveries } = await findWebhook(webhooks, request);
  const subject = subjects.webhook(request.webhookId);
  const { position } = await execute(store, webhookDecider, subject, { type: 'DeleteWebhook' }, context);
  await confirmCommand(webhooks, subject, position);
  return { value: { name, deliveries }, position };
}
