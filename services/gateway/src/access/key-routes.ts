import { type accessRoutes, keys } from '@mneme/contracts';
import type { Failure } from '@mneme/service-kit';
import type { UserCaller } from '../auth/caller.ts';
import { commandBy, type HttpEndpoints, queryBy, replyTo } from '../routing/http-endpoint.ts';
import type { SendRequest } from '../send-request.ts';
import { untilCachesExpire } from '../short-cache.ts';

/** The defaults of a new key. */
const defaultScopes = ['*'];
const defaultRateLimit = 1_000;

/** The replies to unexpected errors, by route. */
export const keyFailures = {
  listKeys: failing('list API keys'),
  createKey: failing('create API key'),
  updateKey: failing('update API key'),
  revokeKey: failing('delete API key'),
  regenerateKey: failing('regenerate API key'),
  keyHistory: failing('read the usage of the API key'),
};

function failing(to: string): Failure {
  return { code: 'INTERNAL_ERROR', message: `Failed to ${to}` };
}

/**
 * API keys belong to the keys service, which decides who may manage which key. The reply to a change is sent when it holds
 * at every gateway.
 */
export function keyEndpoints(send: SendRequest) {
  return {
    listKeys: async ({ query: { project_id: projectId, ...part } }, scope) => {
      return { body: await send(keys.listKeys, { ...queryBy(scope), projectId, ...part }, scope) };
    },
    keyHistory: async ({ path, query: { project_id: projectId, bucket, since = null } }, scope) => {
      const request = { ...queryBy(scope), projectId, keyId: path.id, bucket, since };
      return { body: await send(keys.keyHistory, request, scope) };
    },
    createKey: async ({ body }, scope) => {
      const days = body.expires_in_days ?? 0;
      const request = {
        ...commandBy(scope),
        projectId: body.project_id,
        name: body.name,
        scopes: body.scopes ?? defaultScopes,
        rateLimit: body.rate_limit ?? defaultRateLimit,
        expiresInDays: days > 0 ? days : null,
        agentId: body.agent_id ?? null,
      };
      return replyTo(await send(keys.createKey, request, scope));
    },
    updateKey: async ({ path, body }, scope) => {
      const request = {
        userId: scope.caller.userId,
        projectId: body.project_id,
        keyId: path.id,
        name: body.name ?? null,
        scopes: body.scopes ?? null,
        isActive: body.is_active ?? null,
        rateLimit: body.rate_limit ?? null,
      };
      const changed = await send(keys.updateKey, request, scope);
      await untilCachesExpire();
      return replyTo(changed);
    },
    revokeKey: async ({ path, query }, scope) => {
      const request = { userId: scope.caller.userId, projectId: query.project_id, keyId: path.id };
      const { value, position } = await send(keys.revokeKey, request, scope);
      await untilCachesExpire();
      return { body: { message: `API key '${value.name}' has been revoked` }, position };
    },
    regenerateKey: async ({ path, body }, scope) => {
      const { project_id: projectId, overlap_seconds: overlapSeconds } = body;
      const request = { ...commandBy(scope), projectId, keyId: path.id, overlapSeconds };
      const changed = await send(keys.regenerateKey, request, scope);
      await untilCachesExpire();
      return replyTo(changed);
    },
  } satisfies Partial<HttpEndpoints<typeof accessRoutes, UserCaller>>;
}
