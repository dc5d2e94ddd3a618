import { type accessRoutes, keys } from '@mneme/contracts';
import type { UserCaller } from '../auth/caller.ts';
import { commandBy, type HttpEndpoints, queryBy, replyTo } from '../routing/http-endpoint.ts';
import type { SendRequest } from '../send-request.ts';

/** Users, their spaces and projects belong to the keys service. */
export function spaceEndpoints(send: SendRequest) {
  return {
    me: async (_input, scope) => replyTo(await send(keys.me, queryBy(scope), scope)),
    listSpaces: async (_input, scope) => ({ body: await send(keys.listSpaces, queryBy(scope), scope) }),
    createSpace: async ({ body: { name, type } }, scope) => {
      return replyTo(await send(keys.createSpace, { ...commandBy(scope), name, type }, scope));
    },
    listProjects: async (_input, scope) => ({ body: await send(keys.listProjects, queryBy(scope), scope) }),
    createProject: async ({ body: { name, space_id: spaceId } }, scope) => {
      return replyTo(await send(keys.createProject, { ...commandBy(scope), name, spaceId }, scope));
    },
  } satisfies Partial<HttpEndpoints<typeof accessRoutes, UserCaller>>;
}
