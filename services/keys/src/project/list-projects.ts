import type { ProjectReply } from '@mneme/contracts';
import type { AccessCollections, StoredProject } from '../read-model/collections.ts';
import { ownedBy } from '../user/me.ts';

export async function listProjects(rows: AccessCollections, userId: number): Promise<ProjectReply[]> {
  const { projects } = await ownedBy(rows, userId);
  return projects.map(toProject);
}

export function toProject({ _id: id, name, spaceId, createdAt }: StoredProject): ProjectReply {
  return { id, name, space_id: spaceId, created_at: createdAt.toISOString() };
}
