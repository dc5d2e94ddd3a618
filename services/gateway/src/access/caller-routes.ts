import { type CallerReply, type callerRoutes, grants, keys } from '@mneme/contracts';
import type { MemoryCaller } from '../auth/caller.ts';
import type { HttpEndpoints, RequestScope } from '../routing/http-endpoint.ts';
import type { SendRequest } from '../send-request.ts';

/** Describes callers by what they were admitted with; only the spaces of users belong to the keys service. */
export function callerEndpoints(send: SendRequest): HttpEndpoints<typeof callerRoutes> {
  return {
    caller: async (_input, scope) => ({ body: { ...describe(scope.caller), spaces: await spacesOf(scope, send) } }),
  };
}

async function spacesOf({ caller, minSequence, ...scope }: RequestScope, send: SendRequest) {
  if (caller.kind !== 'user') return [];
  const { value } = await send(keys.me, { userId: caller.userId, minSequence }, { ...scope, caller });
  return value.spaces;
}

function describe(caller: MemoryCaller): Omit<CallerReply, 'spaces'> {
  const open = { can_read: true, can_write: true, agent_id: null, key: null };
  switch (caller.kind) {
    case 'anonymous':
      return { kind: 'public', user_id: null, is_operator: false, space_id: null, ...open };
    case 'user': {
      const { userId, isOperator, space } = caller;
      return { kind: 'user', user_id: userId, is_operator: isOperator, space_id: Number(space), ...open };
    }
    case 'key': {
      const { keyId, userId, spaceId, scopes, rateLimit, agentId, expiresAt } = caller.key;
      return {
        kind: 'key',
        user_id: userId,
        is_operator: false,
        space_id: spaceId,
        can_read: grants(scopes, 'memory:read'),
        can_write: grants(scopes, 'memory:write'),
        agent_id: agentId,
        key: { id: keyId, scopes: [...scopes], rate_limit: rateLimit, expires_at: expiresAt },
      };
    }
  }
}
