import { findLasting } from '@mneme/event-store';
import type { Access } from '../access/access.ts';
import { DomainError } from '../errors.ts';
import { findProject } from '../project/find-project.ts';
import type { KeyRef } from './key-decider.ts';

export interface KeyRequest {
  readonly userId: number;
  readonly projectId: number;
  readonly keyId: number;
}

/**
 * Finds the space that a key is looked for in. A space stores keys from the first one on that is issued in it.
 * @throws DomainError `key-storage-not-found`
 */
export async function findKeyStorage(access: Access, { userId, projectId, keyId }: KeyRequest): Promise<KeyRef> {
  const project = await findProject(access, projectId);
  if (!project) throw noStorage();
  const { spaceId } = project;
  const space = await findLasting(access, () => access.rows().spaces.findOne({ _id: spaceId, hasKeys: true }));
  if (!space) throw noStorage();
  return { keyId, spaceId, userId };
}

/** Whether a key was ever issued in the project's space; true when that cannot be told. */
export async function hasKeyStorage(access: Access, projectId: number): Promise<boolean> {
  const project = await access.rows().projects.findOne({ _id: projectId });
  if (!project) return true;
  return (await access.rows().spaces.countDocuments({ _id: project.spaceId, hasKeys: true }, { limit: 1 })) > 0;
}

function noStorage(): DomainError {
  return new DomainError('key-storage-not-found', 'api_keys_list table not found');
}
