import { accessSubjects } from '@mneme/contracts';
import { findLasting } from '@mneme/read-models';
import type { WebhookDeps } from '../deps.ts';
import { DomainError } from '../errors.ts';
import type { StoredProject } from './projection.ts';

/**
 * Makes sure that a user may manage a project.
 * @throws DomainError `project-not-found` when they may not, as when there is no such project
 */
export async function requireProject(
  deps: WebhookDeps,
  { userId, projectId }: { readonly userId: number; readonly projectId: number },
): Promise<void> {
  if (!(await isManagedBy(deps, userId, projectId))) throw new DomainError('project-not-found');
}

/** Whether the project is in a space of the user or, unless the policy is strict, in any personal space. */
export async function isManagedBy(deps: WebhookDeps, userId: number, projectId: number): Promise<boolean> {
  const { projects, policy } = deps;
  const project = await findProject(deps, projectId);
  if (!project) return false;
  const { spaceId } = project;
  const space = await findLasting(projects, accessSubjects.space(spaceId), () =>
    projects.rows().spaces.findOne({ _id: spaceId }),
  );
  if (!space) return false;
  return space.ownerId === userId || (policy === 'spec' && space.type === 'personal');
}

export function findProject({ projects }: WebhookDeps, projectId: number): Promise<StoredProject | undefined> {
  const subject = accessSubjects.project(projectId);
  return findLasting(projects, subject, () => projects.rows().projects.findOne({ _id: projectId }));
}
