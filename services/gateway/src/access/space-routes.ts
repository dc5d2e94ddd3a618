import { type accessRoutes, keys } from '@mneme/contracts';
import type { UserCaller } from '../auth/caller.ts';
import type { HttpEndpoints, UserScope } from '../http/endpoints.ts';
import type { SendRequest } from '../send-request.ts';

type SpaceRoutes = Pick<typeof accessRoutes, 'me' | 'listSpaces' | 'createSpace' | 'listProjects' | 'createProject'>;

/** Users, their spaces and projects belong to the keys service. */
export function spaceEndpoints(call: SendRequest): HttpEndpoints<SpaceRoutes, UserCaller> {
  return {
    me: async (_input, scope) => answer(await call(keys.me, read(scope), scope)),
    listSpaces: async (_input, scope) => ({ body: await call(keys.listSpaces, read(scope), scope) }),
    createSpace: async ({ body: { name, type } }, scope) => {
      return answer(await call(keys.createSpace, { ...write(scope), name, type }, scope));
    },
    listProjects: async (_input, scope) => ({ body: await call(keys.listProjects, read(scope), scope) }),
    createProject: async ({ body: { name, space_id: spaceId } }, scope) => {
      return answer(await call(keys.createProject, { ...write(scope), name, spaceId }, scope));
    },
  };
}

function read({ caller: { userId }, minSequence }: UserScope) {
  return { userId, minSequence };
}

function write({ caller: { userId }, commandId }: UserScope) {
  return { userId, commandId };
}

function answer<Value>({ value, position }: { value: Value; position: string | null }) {
  return { body: value, position };
}
