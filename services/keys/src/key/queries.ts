import { accessSubjects } from '@mneme/contracts';
import { findLasting } from '@mneme/read-models';
import type { Access } from '../access.ts';
import { DomainError } from '../errors.ts';
import { findProject } from '../project/queries.ts';
import type { KeyRef } from './decider.ts';

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
  // The key that is asked for may be the one that has made the storage.
  const subject = accessSubjects.key(keyId);
  const storage = await findLasting(access, subject, () => access.rows().keyStorages.findOne({ _id: spaceId }));
  if (!storage) throw noStorage();
  return { keyId, spaceId, userId };
}

/** Whether a key was ever issued in the project's space; true when that cannot be told. */
export async function hasKeyStorage(access: Access, projectId: number): Promise<boolean> {
  const project = await access.rows().projects.findOne({ _id: projectId });
  if (!project) return true;
  return (await access.rows().keyStorages.countDocuments({ _id: project.spaceId }, { limit: 1 })) > 0;
}

function noStorage(): DomainError {
  return new DomainError('key-storage-not-found', 'api_keys_list table not found');
}
