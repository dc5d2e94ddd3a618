import { defaultColumns, type WebhookReply, webhookSecrets } from '@mneme/contracts';
import { assignId, type EventContext, execute } from '@mneme/event-store';
import { findLasting } from '@mneme/read-models';
import { ofTable } from '../aggregates.ts';
import { DomainError } from '../errors.ts';
import { requireProject } from '../project-rows/queries.ts';
import { addTable } from '../table/commands.ts';
import { madeUpName } from '../table-names/commands.ts';
import { type Carried, confirmCommand, type Webhooks } from '../webhooks.ts';
import { webhookDecider } from './decider.ts';
import { markOf } from './new-token.ts';
import { sealVerification, toWebhook, type Verification } from './webhook-forms.ts';

export interface CreateWebhookRequest {
  readonly userId: number;
  readonly projectId: number;
  readonly name: string;
  /** One that is there, a new one of this name (null: of a name that is made up), or none. */
  readonly table: { readonly id: number } | { readonly newName: string | null } | null;
  readonly verification: Verification;
  readonly deduplicate: boolean;
  readonly commandId: string;
}

/** @throws DomainError `project-not-found`, `table-not-found`; `webhook-not-found` when the command's webhook was deleted */
export async function createWebhook(
  webhooks: Webhooks,
  request: CreateWebhookRequest,
  context: EventContext,
): Promise<Carried<WebhookReply>> {
  await requireProject(webhooks, request);
  const tableId = await targetOf(webhooks, request, context);
  const { userId, projectId, name, deduplicate, commandId } = request;
  const webhookId = await assignId(webhooks, { kind: 'webhook', userId, commandId }, context);
  const { sealing, newToken, subjects, store } = webhooks;
  const token = newToken();
  const webhook = {
    ...{ webhookId, projectId, tableId, name, deduplicate, commandId, ...markOf(token) },
    verification: sealVerification(sealing, webhookId, request.verification),
    sealedToken: sealing.seal(token, webhookSecrets.token(webhookId)),
    ...{ createdBy: userId, createdAt: null, isActive: true },
  };
  const subject = subjects.webhook(webhookId);
  const { position } = await execute(store, webhookDecider, subject, { type: 'CreateWebhook', webhook }, context);
  await confirmCommand(webhooks, subject, position);
  const row = await webhooks.rows().webhooks.findOne({ _id: webhookId });
  if (!row) throw new DomainError('webhook-not-found');
  return { value: toWebhook(sealing, row), position };
}

async function targetOf(
  webhooks: Webhooks,
  { table, ...request }: CreateWebhookRequest,
  context: EventContext,
): Promise<number | null> {
  if (table === null) return null;
  if ('id' in table) {
    await requireTableOf(webhooks, request.projectId, table.id);
    return table.id;
  }
  const name = table.newName || madeUpName(webhooks.clock());
  const { tableId } = await addTable(webhooks, { ...request, name, columns: defaultColumns }, context);
  return tableId;
}

/** @throws DomainError `table-not-found` for one of another project, as for none. */
export async function requireTableOf(webhooks: Webhooks, projectId: number, tableId: number): Promise<void> {
  const found = await findLasting(webhooks, ofTable(tableId), () =>
    webhooks.rows().tables.findOne({ _id: tableId, projectId }),
  );
  if (!found) throw new DomainError('table-not-found');
}
