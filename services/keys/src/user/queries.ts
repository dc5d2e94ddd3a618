import type { MeReply, SpaceOwner } from '@mneme/contracts';
import type { AccessCollections, StoredProject, StoredSpace } from '../access-rows/rows.ts';

/** The user's spaces with their projects, by id. */
export async function me(rows: AccessCollections, userId: number): Promise<MeReply> {
  const { spaces, projects } = await ownedBy(rows, userId);
  return {
    user_id: userId,
    spaces: spaces.map(({ _id: id, name, type }) => ({
      id,
      name,
      type,
      projects: projects
        .filter(({ spaceId }) => spaceId === id)
        .map((project) => ({ id: project._id, name: project.name })),
    })),
  };
}

/** The record that the gateway reads about a user who has joined. */
export async function spaceOwner(rows: AccessCollections, userId: number): Promise<SpaceOwner> {
  const user = await rows.users.findOne({ _id: userId });
  if (!user) throw new Error(`User ${userId} has no row`);
  const { spaces } = await ownedBy(rows, userId);
  return {
    personalSpaceId: user.spaceId,
    spaceIds: spaces.map(({ _id }) => _id),
    sequence: Math.max(0, ...spaces.map(({ sequence }) => sequence)),
  };
}

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
