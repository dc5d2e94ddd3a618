import type { components } from '../api.ts';
import type { Connection } from '../http/connection.ts';
import { type CommandOptions, type ReadOptions, type RequestOptions, refuseUnknown } from '../http/request.ts';
import { type CamelCaseKeys, given, isoTime, snakeCaseKeys, type Time } from '../schemas.ts';

type Schemas = components['schemas'];
export type CreateKey = CamelCaseKeys<Schemas['CreateApiKeyRequest']>;
/** The project of the key, and what is to change. */
export type UpdateKey = CamelCaseKeys<Schemas['UpdateApiKeyRequest']>;

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
      call('get', '/api/v3/api-keys', { ...options, query: given({ project_id: projectId, limit, offset }) }),
    /** The reply has the key, which is never shown again. */
    create: (key: CreateKey, options: CommandOptions = {}) =>
      call('post', '/api/v3/api-keys', { ...options, body: snakeCaseKeys<Schemas['CreateApiKeyRequest']>(key) }),
    update: (id: number, changes: UpdateKey, options: RequestOptions = {}) => {
      const body = snakeCaseKeys<Schemas['UpdateApiKeyRequest']>(changes);
      return call('patch', '/api/v3/api-keys/{id}', { ...options, path: { id }, body });
    },
    revoke: async (
      id: number,
      { projectId, ...unknown }: { readonly projectId: number },
      options: RequestOptions = {},
    ) => {
      refuseUnknown('option', unknown);
      return call('delete', '/api/v3/api-keys/{id}', { ...options, path: { id }, query: { project_id: projectId } });
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
      return call('post', '/api/v3/api-keys/{id}/regenerate', { ...options, path: { id }, body });
    },
    /** Accepted and refused requests by hour or day. */
    usage: async (id: number, { projectId, bucket, since, ...options }: KeyUsageOptions) => {
      const query = given({ project_id: projectId, bucket, since: isoTime(since) });
      return call('get', '/api/v3/api-keys/{id}/usage', { ...options, path: { id }, query });
    },
  };
}
