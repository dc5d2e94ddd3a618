import { accessSubjects } from '@mneme/contracts';
import { findLasting } from '@mneme/read-models';
import type { Access } from '../access.ts';
import type { StoredProject, StoredSpace } from '../access-rows/rows.ts';

export function findProject(access: Access, projectId: number): Promise<StoredProject | undefined> {
  const subject = accessSubjects.project(projectId);
  return findLasting(access, subject, () => access.rows().projects.findOne({ _id: projectId }));
}

/** The project, when its keys may be listed and created by the user; undefined for no project and for one to keep out of. */
export async function findOpenProject(
  access: Access,
  { userId, projectId }: { userId: number; projectId: number },
): Promise<StoredProject | undefined> {
  const project = await findProject(access, projectId);
  if (!project || access.policy === 'spec') return project;
  const space = await findSpace(access, project.spaceId);
  return space?.ownerId === userId ? project : undefined;
}

export function findSpace(access: Access, spaceId: number): Promise<StoredSpace | undefined> {
  const subject = accessSubjects.space(spaceId);
  return findLasting(access, subject, () => access.rows().spaces.findOne({ _id: spaceId }));
}
