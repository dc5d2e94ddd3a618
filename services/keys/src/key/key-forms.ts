import type { KeyReply, UpdatedKeyReply } from '@mneme/contracts';
import type { StoredKey } from '../access-rows/rows.ts';
import type { Usage } from '../usage/rows.ts';
import type { Key } from './decider.ts';

/** What every answer about a key says of it. */
export function describe(key: NonNullable<Key>): Omit<UpdatedKeyReply, 'is_active' | 'created_at'> {
  return { id: key.keyId, ...described(key) };
}

type Described = Pick<StoredKey, 'keyPrefix' | 'name' | 'scopes' | 'rateLimit' | 'expiresAt'>;

function described({ keyPrefix, name, scopes, rateLimit, expiresAt }: Described) {
  return { key_prefix: keyPrefix, name, scopes: [...scopes], rate_limit: rateLimit, expires_at: expiresAt };
}

/** A key in a list. */
export function toListedKey(key: StoredKey, usage: Usage | undefined): KeyReply {
  return {
    id: key._id,
    ...described(key),
    request_count: usage?.requests ?? 0,
    last_used_at: usage?.lastUsedAt ?? null,
    is_active: key.isActive,
    created_at: key.createdAt.toISOString(),
    agent_id: key.agentId,
    user_id: key.userId,
  };
}
