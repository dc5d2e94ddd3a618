import { type accessRoutes, keys } from '@mneme/contracts';
import type { Failure } from '@mneme/service-kit';
import type { UserCaller } from '../auth/caller.ts';
import { untilCachesExpire } from '../auth/short-cache.ts';
import { orFail } from '../errors.ts';
import type { HttpEndpoints } from '../http/endpoints.ts';
import type { SendRequest } from '../send-request.ts';

type KeyRoutes = Pick<typeof accessRoutes, 'listKeys' | 'createKey' | 'updateKey' | 'revokeKey' | 'regenerateKey'>;

/** The defaults of a new key. */
const defaultScopes = ['*'];
const defaultRateLimit = 1_000;

/**
 * API keys belong to the keys service, which decides who may manage which key. The reply to a change is sent when it holds
 * at every gateway.
 */
export function keyEndpoints(call: SendRequest): HttpEndpoints<KeyRoutes, UserCaller> {
  return {
    listKeys: ({ query }, { minSequence, ...scope }) =>
      orFail(failure('Failed to list API keys'), async () => {
        const request = { userId: scope.caller.userId, projectId: query.project_id, minSequence };
        return { body: await call(keys.listKeys, request, scope) };
      }),
    createKey: ({ body }, scope) =>
      orFail(failure('Failed to create API key'), async () => {
        const days = body.expires_in_days ?? 0;
        const { value, position } = await call(
          keys.createKey,
          {
            userId: scope.caller.userId,
            projectId: body.project_id,
            name: body.name,
            scopes: body.scopes ?? defaultScopes,
            rateLimit: body.rate_limit ?? defaultRateLimit,
            expiresInDays: days > 0 ? days : null,
            agentId: body.agent_id ?? null,
            commandId: scope.commandId,
          },
          scope,
        );
        return { body: value, position };
      }),
    updateKey: ({ path, body }, scope) =>
      orFail(failure('Failed to update API key'), async () => {
        const request = {
          ...keyRef(scope.caller, body.project_id, path.id),
          name: body.name ?? null,
          scopes: body.scopes ?? null,
          isActive: body.is_active ?? null,
          rateLimit: body.rate_limit ?? null,
        };
        const { value, position } = await call(keys.updateKey, request, scope);
        await untilCachesExpire();
        return { body: value, position };
      }),
    revokeKey: ({ path, query }, scope) =>
      orFail(failure('Failed to delete API key'), async () => {
        const request = keyRef(scope.caller, query.project_id, path.id);
        const { value, position } = await call(keys.revokeKey, request, scope);
        await untilCachesExpire();
        return { body: { message: `API key '${value.name}' has been revoked` }, position };
      }),
    regenerateKey: ({ path, body }, scope) =>
      orFail(failure('Failed to regenerate API key'), async () => {
        const request = { ...keyRef(scope.caller, body.project_id, path.id), commandId: scope.commandId };
        const { value, position } = await call(keys.regenerateKey, request, scope);
        await untilCachesExpire();
        return { body: value, position };
      }),
  };
}

function keyRef({ userId }: UserCaller, projectId: number, keyId: number) {
  return { userId, projectId, keyId };
}

function failure(message: string): Failure {
  return { code: 'INTERNAL_ERROR', message };
}
