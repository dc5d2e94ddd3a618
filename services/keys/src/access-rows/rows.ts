import type { BoundAgent, SpaceType } from '@mneme/contracts';
import { makeIndexes } from '@mneme/read-models';
import type { Collection, Db } from 'mongodb';

/** `_id` is the user's id. */
export interface StoredUser {
  readonly _id: number;
  /** The first space and project of the user; their own rows may not be written yet. */
  readonly spaceId: number;
  readonly projectId: number;
}

export interface StoredSpace {
  readonly _id: number;
  readonly name: string;
  readonly type: SpaceType;
  readonly ownerId: number;
  readonly createdAt: Date;
  /** Of the event that created it. */
  readonly sequence: number;
}

export interface StoredProject {
  readonly _id: number;
  readonly spaceId: number;
  readonly name: string;
  readonly createdAt: Date;
}

/** A space in which a key was ever issued, by the id of the space. */
export interface StoredKeyStorage {
  readonly _id: number;
}

/** A key that is not revoked. */
export interface StoredKey {
  readonly _id: number;
  readonly spaceId: number;
  readonly projectId: number;
  readonly userId: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly rateLimit: number;
  readonly isActive: boolean;
  readonly agentId: BoundAgent;
  readonly keyHash: string;
  readonly keyPrefix: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly expiresAt: string | null;
  /** Until when the replaced key is valid, ISO 8601 in UTC; missing or null when it is not. */
  readonly oldKeyUntil?: string | null;
  readonly createdAt: Date;
}

export interface AccessCollections {
  readonly users: Collection<StoredUser>;
  readonly spaces: Collection<StoredSpace>;
  readonly projects: Collection<StoredProject>;
  readonly keyStorages: Collection<StoredKeyStorage>;
  readonly keys: Collection<StoredKey>;
}

/** The collections of one version of the read model: `access_users@1` and so on. */
export function accessCollections(db: Db, version: number): AccessCollections {
  const named = <T extends object>(name: string) => db.collection<T>(`access_${name}@${version}`);
  return {
    users: named('users'),
    spaces: named('spaces'),
    projects: named('projects'),
    keyStorages: named('key_storages'),
    keys: named('keys'),
  };
}

/** Creates the indexes of the queries; does nothing where they exist. */
export async function createIndexes({ spaces, projects, keys }: AccessCollections): Promise<void> {
  await makeIndexes([
    [spaces, [{ key: { ownerId: 1, _id: 1 } }]],
    [projects, [{ key: { spaceId: 1, _id: 1 } }]],
    [keys, [{ key: { spaceId: 1, createdAt: -1, _id: -1 } }, { key: { userId: 1 } }]],
  ]);
}
