import type { ProjectReply } from '@mneme/contracts';
import type { AccessCollections, StoredProject } from '../access-rows/rows.ts';
import { ownedBy } from '../user/queries.ts';

export async function listProjects(rows: AccessCollections, userId: number): Promise<ProjectReply[]> {
  const { projects } = await ownedBy(rows, userId);
  return projects.map(toProject);
}

export function toProject({ _id: id, name, spaceId, createdAt }: StoredProject): ProjectReply {
  return { id, name, space_id: spaceId, created_at: createdAt.toISOString() };
}
