import type { components } from '../api.ts';
import type { Connection } from '../http/connection.ts';
import {
  type CommandOptions,
  type NamesOf,
  onlyKnown,
  type ReadOptions,
  type RequestOptions,
  refuseUnknown,
} from '../http/request.ts';
import { type CamelCaseKeys, given, isoTime, snakeCaseKeys, type Time } from '../schemas.ts';

type Schemas = components['schemas'];
export type CreateKey = CamelCaseKeys<Schemas['CreateApiKeyRequest']>;
/** The project of the key, and what is to change. */
export type UpdateKey = CamelCaseKeys<Schemas['UpdateApiKeyRequest']>;

const createKeyNames: NamesOf<CreateKey> = {
  projectId: true,
  name: true,
  scopes: true,
  expiresInDays: true,
  rateLimit: true,
  agentId: true,
};
const updateKeyNames: NamesOf<UpdateKey> = {
  projectId: true,
  name: true,
  scopes: true,
  isActive: true,
  rateLimit: true,
};

export interface KeyUsageOptions extends ReadOptions {
  readonly projectId: number;
  /** Default: `hour`. */
  readonly bucket?: 'hour' | 'day' | undefined;
  /** Where to begin. Default: 24 hours ago, 30 days by day. */
  readonly since?: Time | undefined;
}

export interface ListKeysOptions extends ReadOptions {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** The API keys of a project; they need the token of a user. */
export type Keys = ReturnType<typeof keysOf>;

export function keysOf({ call }: Connection) {
  return {
    /** All keys of the project's space, the newest first, or `limit` of them after the first `offset`. */
    list: (projectId: number, { limit, offset, ...options }: ListKeysOptions = {}) =>
      call('get', '/api/v3/api-keys', { query: given({ project_id: projectId, limit, offset }) }, options),
    /** The reply has the key, which is never shown again. */
    create: async (key: CreateKey, options: CommandOptions = {}) => {
      const body = snakeCaseKeys<Schemas['CreateApiKeyRequest']>(onlyKnown('field of a key', key, createKeyNames));
      return call('post', '/api/v3/api-keys', { body }, options);
    },
    update: async (id: number, changes: UpdateKey, options: RequestOptions = {}) => {
      const body = snakeCaseKeys<Schemas['UpdateApiKeyRequest']>(onlyKnown('field of a key', changes, updateKeyNames));
      return call('patch', '/api/v3/api-keys/{id}', { path: { id }, body }, options);
    },
    revoke: async (
      id: number,
      { projectId, ...unknown }: { readonly projectId: number },
      options: RequestOptions = {},
    ) => {
      refuseUnknown('option', unknown);
      return call('delete', '/api/v3/api-keys/{id}', { path: { id }, query: { project_id: projectId } }, options);
    },
    /** Replaces the key by a new one; the old one is refused from the next request on, or after `overlapSeconds`. */
    regenerate: async (
      id: number,
      {
        projectId,
        overlapSeconds,
        ...unknown
      }: { readonly projectId: number; readonly overlapSeconds?: number | undefined },
      options: CommandOptions = {},
    ) => {
      refuseUnknown('option', unknown);
      const body = given({ project_id: projectId, overlap_seconds: overlapSeconds });
      return call('post', '/api/v3/api-keys/{id}/regenerate', { path: { id }, body }, options);
    },
    /** Accepted and refused requests by hour or day. */
    usage: async (id: number, { projectId, bucket, since, ...options }: KeyUsageOptions) => {
      const query = given({ project_id: projectId, bucket, since: isoTime(since) });
      return call('get', '/api/v3/api-keys/{id}/usage', { path: { id }, query }, options);
    },
  };
}
