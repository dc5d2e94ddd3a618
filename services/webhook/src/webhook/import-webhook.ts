import { accessSubjects, webhookSecrets } from '@mneme/contracts';
import { assignId, type EventContext, execute } from '@mneme/event-store';
import { findLasting } from '@mneme/read-models';
import { DomainError } from '../errors.ts';
import { confirmCommand, type Webhooks } from '../webhooks.ts';
import { requireTableOf } from './commands.ts';
import { webhookDecider } from './decider.ts';
import { markOf } from './new-token.ts';

/** A record of a webhook from elsewhere, which may have had a plain token only. */
export interface ImportWebhookRequest {
  readonly projectId: number;
  readonly name: string;
  readonly token: string;
  readonly tableId: number | null;
  readonly isActive: boolean;
  readonly createdBy: number;
  readonly createdAt: string | null;
}

/**
 * Takes over a webhook under its token, so that its senders need not be told. The same token again changes nothing.
 * @throws DomainError `project-not-found`, `table-not-found`; `webhook-not-found` when it was deleted since
 */
export async function importWebhook(
  webhooks: Webhooks,
  request: ImportWebhookRequest,
  context: EventContext,
): Promise<{ id: number; isNew: boolean }> {
  const { store, subjects, sealing, projects } = webhooks;
  const { projectId, tableId, token, createdBy, createdAt, ...record } = request;
  const projectSubject = accessSubjects.project(projectId);
  const project = await findLasting(projects, projectSubject, () =>
    projects.rows().projects.findOne({ _id: projectId }),
  );
  if (!project) throw new DomainError('project-not-found');
  if (tableId !== null) await requireTableOf(webhooks, projectId, tableId);
  const mark = markOf(token);
  const there = await findLasting(webhooks, undefined, () =>
    webhooks.rows().webhooks.findOne({ tokenHash: mark.tokenHash }),
  );
  if (there) return { id: there._id, isNew: false };
  const commandId = `import ${mark.tokenHash}`;
  // The token alone says which record it is, whoever has made it.
  const webhookId = await assignId(webhooks, { kind: 'webhook', userId: 0, commandId }, context);
  const webhook = {
    ...{ ...record, ...mark, webhookId, projectId, tableId, createdBy, commandId, deduplicate: false },
    createdAt: createdAt === null ? null : new Date(createdAt).toISOString(),
    verification: { type: 'none', sealedSecret: null } as const,
    sealedToken: sealing.seal(token, webhookSecrets.token(webhookId)),
  };
  const subject = subjects.webhook(webhookId);
  const { position } = await execute(store, webhookDecider, subject, { type: 'CreateWebhook', webhook }, context);
  await confirmCommand(webhooks, subject, position);
  return { id: webhookId, isNew: position !== undefined };
}
