import { accessSubjects, type ProjectReply } from '@mneme/contracts';
import { findLasting } from '@mneme/read-models';
import { ownedBy } from '../access-rows/queries.ts';
import type { AccessCollections, StoredProject } from '../access-rows/rows.ts';
import type { KeysDeps } from '../deps.ts';
import { ownsSpace } from '../space/queries.ts';

export function findProject(deps: KeysDeps, projectId: number): Promise<StoredProject | undefined> {
  const subject = accessSubjects.project(projectId);
  return findLasting(deps, subject, () => deps.rows().projects.findOne({ _id: projectId }));
}

/** The project, if the user may list and create its keys; undefined if they may not, or if there is no such project. */
export async function findOpenProject(
  deps: KeysDeps,
  { userId, projectId }: { userId: number; projectId: number },
): Promise<StoredProject | undefined> {
  const project = await findProject(deps, projectId);
  if (!project || (await ownsSpace(deps, userId, project.spaceId)) === false) return undefined;
  return project;
}

export async function listProjects(rows: AccessCollections, userId: number): Promise<ProjectReply[]> {
  const { projects } = await ownedBy(rows, userId);
  return projects.map(toProject);
}

export function toProject({ _id: id, name, spaceId, createdAt }: StoredProject): ProjectReply {
  return { id, name, space_id: spaceId, created_at: createdAt.toISOString() };
}
