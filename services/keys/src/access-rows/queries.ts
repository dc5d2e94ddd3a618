import type { AccessCollections, StoredProject, StoredSpace } from './rows.ts';

/** Spaces and projects of a user, by id. */
export async function ownedBy(
  rows: AccessCollections,
  userId: number,
): Promise<{ spaces: StoredSpace[]; projects: StoredProject[] }> {
  const spaces = await rows.spaces.find({ ownerId: userId }).sort({ _id: 1 }).toArray();
  const ids = spaces.map(({ _id }) => _id);
  const projects = await rows.projects
    .find({ spaceId: { $in: ids } })
    .sort({ _id: 1 })
    .toArray();
  return { spaces, projects };
}
