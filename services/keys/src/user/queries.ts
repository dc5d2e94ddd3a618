import type { MeReply, SpaceOwner } from '@mneme/contracts';
import { ownedBy } from '../access-rows/queries.ts';
import type { AccessCollections } from '../access-rows/rows.ts';

/** The user's spaces with their projects, by id. */
export async function me(rows: AccessCollections, userId: number): Promise<MeReply> {
  const { spaces, projects } = await ownedBy(rows, userId);
  const bySpace = Map.groupBy(projects, ({ spaceId }) => spaceId);
  return {
    user_id: userId,
    spaces: spaces.map(({ _id: id, name, type }) => ({
      id,
      name,
      type,
      projects: (bySpace.get(id) ?? []).map((project) => ({ id: project._id, name: project.name })),
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
