import { accessSubjects, type KeyReply, type keys, type RequestOf, type UpdatedKeyReply } from '@mneme/contracts';
import { boundedList, findLasting } from '@mneme/read-models';
import { mapInSlices } from '@mneme/workers/time-slices';
import type { StoredKey } from '../access-rows/rows.ts';
import type { KeysDeps } from '../deps.ts';
import { DomainError } from '../errors.ts';
import { findOpenProject, findProject } from '../project/queries.ts';
import { ownsSpace } from '../space/queries.ts';
import type { Usage, UsageRows } from '../usage/rows.ts';
import type { Key, KeyRef } from './decider.ts';

export type KeyQuery = RequestOf<typeof keys.revokeKey>;

const tooLarge = 'The keys of the space are too large to be listed at once; list a part of them with limit and offset';

/**
 * The keys of the project's space, of all owners, the newest first; a part of them if that is what is asked for.
 * @throws WireError 413 when they are too large to be sent at once
 */
export async function listKeys(
  deps: KeysDeps,
  usage: UsageRows,
  query: RequestOf<typeof keys.listKeys>,
): Promise<KeyReply[]> {
  const project = await findOpenProject(deps, query);
  if (!project) return [];
  const newestFirst = { createdAt: -1, _id: -1 } as const;
  const { limit = 0, offset = 0 } = query;
  const listed = deps.rows().keys.find({ spaceId: project.spaceId }).sort(newestFirst).skip(offset).limit(limit);
  const current = (key: StoredKey) => {
    deps.progress.assertCurrent(accessSubjects.key(key._id));
    return key;
  };
  const keys = await boundedList(listed, current, tooLarge);
  const used = await usage.find(keys.map(({ keyHash }) => keyHash));
  const now = deps.clock();
  return mapInSlices(keys, (key) => toListedKey(key, used.get(key.keyHash), now));
}

/**
 * A key that the user may list.
 * @throws DomainError `key-not-found`, also when there is no such project or the user may not list its keys
 */
export async function findListedKey(deps: KeysDeps, query: KeyQuery): Promise<{ keyId: number }> {
  const { keyId } = query;
  const project = await findOpenProject(deps, query);
  const key = project && (await findLasting(deps, accessSubjects.key(keyId), () => findKey(deps, keyId)));
  if (key && key.spaceId === project.spaceId) return { keyId };
  throw new DomainError('key-not-found');
}

function findKey({ rows }: KeysDeps, keyId: number): Promise<StoredKey | null> {
  return rows().keys.findOne({ _id: keyId });
}

/**
 * Finds the space that a key is looked for in. A space has a key storage from the first key on that is issued in it.
 * @throws DomainError `key-storage-not-found`
 */
export async function findKeyStorage(deps: KeysDeps, { userId, projectId, keyId }: KeyQuery): Promise<KeyRef> {
  const project = await findProject(deps, projectId);
  if (!project) throw new DomainError('key-storage-not-found');
  const { spaceId } = project;
  // The requested key may be the first of its space, so its own aggregate has to be up to date.
  const subject = accessSubjects.key(keyId);
  const storage = await findLasting(deps, subject, () => deps.rows().keyStorages.findOne({ _id: spaceId }));
  if (!storage) throw new DomainError('key-storage-not-found');
  return { keyId, spaceId, userId, ownsSpace: await ownsSpace(deps, userId, spaceId) };
}

/** Whether a key was ever issued in the project's space; true when the project is not known. */
export async function hasKeyStorage(deps: KeysDeps, projectId: number): Promise<boolean> {
  const project = await deps.rows().projects.findOne({ _id: projectId });
  if (!project) return true;
  return (await deps.rows().keyStorages.countDocuments({ _id: project.spaceId }, { limit: 1 })) > 0;
}

/**
 * When a key was created; to be called after the command about it is confirmed.
 * @throws DomainError `key-not-found` when the key was revoked since
 */
export async function keyCreatedAt({ rows }: KeysDeps, keyId: number): Promise<string> {
  const row = await rows().keys.findOne({ _id: keyId });
  if (!row) throw new DomainError('key-not-found');
  return row.createdAt.toISOString();
}

/** The fields that every reply about a key has. */
export function toKeyFields(key: NonNullable<Key>): Omit<UpdatedKeyReply, 'is_active' | 'created_at'> {
  return { id: key.keyId, ...toSharedFields(key) };
}

/** A replaced key ends with its record, if that expires before. @param until ISO 8601 in UTC */
export function oldKeyValidUntil(
  until: string | null | undefined,
  expiresAt: string | null,
  now: Date,
): { old_key_valid_until?: string } {
  if (until == null) return {};
  const end = expiresAt !== null && expiresAt < until ? expiresAt : until;
  return Date.parse(end) > now.getTime() ? { old_key_valid_until: end } : {};
}

function toListedKey(key: StoredKey, usage: Usage | undefined, now: Date): KeyReply {
  return {
    id: key._id,
    ...toSharedFields(key),
    request_count: usage?.requests ?? 0,
    last_used_at: usage?.lastUsedAt ?? null,
    is_active: key.isActive,
    created_at: key.createdAt.toISOString(),
    agent_id: key.agentId,
    user_id: key.userId,
    ...oldKeyValidUntil(key.oldKeyUntil, key.expiresAt, now),
  };
}

type SharedFields = Pick<StoredKey, 'keyPrefix' | 'name' | 'scopes' | 'rateLimit' | 'expiresAt'>;

function toSharedFields({ keyPrefix, name, scopes, rateLimit, expiresAt }: SharedFields) {
  return { key_prefix: keyPrefix, name, scopes: [...scopes], rate_limit: rateLimit, expires_at: expiresAt };
}
