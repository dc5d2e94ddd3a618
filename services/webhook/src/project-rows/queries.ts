import { accessSubjects } from '@mneme/contracts';
import { findLasting } from '@mneme/read-models';
import { ofTable } from '../aggregates.ts';
import { DomainError } from '../errors.ts';
import type { StoredTable, StoredWebhook } from '../webhook-rows/rows.ts';
import type { Webhooks } from '../webhooks.ts';

/**
 * Makes sure that a user may manage what is in a project: it is in a space of theirs or, unless the policy is strict, in a personal one.
 * @throws DomainError `project-not-found` for one that they may not, as for none.
 */
export async function requireProject(
  webhooks: Webhooks,
  { userId, projectId }: { readonly userId: number; readonly projectId: number },
): Promise<void> {
  if (!(await isManagedBy(webhooks, userId, projectId))) throw new DomainError('project-not-found');
}

/** @throws DomainError `webhook-not-found` for one in a project that the user may not manage, as for none. */
export async function findWebhook(
  webhooks: Webhooks,
  { userId, webhookId }: { readonly userId: number; readonly webhookId: number },
): Promise<StoredWebhook> {
  const aggregate = await webhooks.aggregates.ofWebhook(webhookId);
  const webhook = await findLasting(webhooks, aggregate, () => webhooks.rows().webhooks.findOne({ _id: webhookId }));
  if (webhook && (await isManagedBy(webhooks, userId, webhook.projectId))) return webhook;
  throw new DomainError('webhook-not-found');
}

/** @throws DomainError `table-not-found` for one in a project that the user may not manage, as for none. */
export async function findTable(
  webhooks: Webhooks,
  { userId, tableId }: { readonly userId: number; readonly tableId: number },
): Promise<StoredTable> {
  const table = await findLasting(webhooks, ofTable(tableId), () => webhooks.rows().tables.findOne({ _id: tableId }));
  if (table && (await isManagedBy(webhooks, userId, table.projectId))) return table;
  throw new DomainError('table-not-found');
}

async function isManagedBy({ projects, policy }: Webhooks, userId: number, projectId: number): Promise<boolean> {
  const subject = accessSubjects.project(projectId);
  const project = await findLasting(projects, subject, () => projects.rows().projects.findOne({ _id: projectId }));
  if (!project) return false;
  const spaceSubject = accessSubjects.space(project.spaceId);
  const space = await findLasting(projects, spaceSubject, () =>
    projects.rows().spaces.findOne({ _id: project.spaceId }),
  );
  if (!space) return false;
  return space.ownerId === userId || (policy === 'spec' && space.type === 'personal');
}
