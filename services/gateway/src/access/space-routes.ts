import { type accessRoutes, keys } from '@mneme/contracts';
import type { UserCaller } from '../auth/caller.ts';
import { type HttpEndpoints, replyTo, type UserScope } from '../routing/http-endpoint.ts';
import type { SendRequest } from '../send-request.ts';

/** Users, their spaces and projects belong to the keys service. */
export function spaceEndpoints(send: SendRequest) {
  return {
    me: async (_input, scope) => replyTo(await send(keys.me, read(scope), scope)),
    listSpaces: async (_input, scope) => ({ body: await send(keys.listSpaces, read(scope), scope) }),
    createSpace: async ({ body: { name, type } }, scope) => {
      return replyTo(await send(keys.createSpace, { ...write(scope), name, type }, scope));
    },
    listProjects: async (_input, scope) => ({ body: await send(keys.listProjects, read(scope), scope) }),
    createProject: async ({ body: { name, space_id: spaceId } }, scope) => {
      return replyTo(await send(keys.createProject, { ...write(scope), name, spaceId }, scope));
    },
  } satisfies Partial<HttpEndpoints<typeof accessRoutes, UserCaller>>;
}

function read({ caller: { userId }, minSequence }: UserScope) {
  return { userId, minSequence };
}

function write({ caller: { userId }, commandId }: UserScope) {
  return { userId, commandId };
}
