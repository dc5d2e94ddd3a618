import { accessSubjects, type SpaceReply } from '@mneme/contracts';
import { findLasting } from '@mneme/read-models';
import { ownedBy } from '../access-rows/queries.ts';
import type { AccessCollections, StoredSpace } from '../access-rows/rows.ts';
import type { KeysDeps } from '../deps.ts';

export function findSpace(deps: KeysDeps, spaceId: number): Promise<StoredSpace | undefined> {
  const subject = accessSubjects.space(spaceId);
  return findLasting(deps, subject, () => deps.rows().spaces.findOne({ _id: spaceId }));
}

/** Whether a user owns a space; undefined where the policy does not ask for that. */
export async function ownsSpace(deps: KeysDeps, userId: number, spaceId: number): Promise<boolean | undefined> {
  if (deps.policy === 'spec') return undefined;
  return (await findSpace(deps, spaceId))?.ownerId === userId;
}

export async function listSpaces(rows: AccessCollections, userId: number): Promise<SpaceReply[]> {
  const { spaces } = await ownedBy(rows, userId);
  return spaces.map(toSpace);
}

export function toSpace({ _id: id, name, type, ownerId, createdAt }: StoredSpace): SpaceReply {
  return { id, name, type, owner_id: ownerId, created_at: createdAt.toISOString() };
}
