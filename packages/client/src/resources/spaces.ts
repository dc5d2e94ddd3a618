import type { Connection } from '../http/connection.ts';
import { type CommandOptions, onlyKnown, type ReadOptions, refuseUnknown } from '../http/request.ts';

/** The spaces of a user. */
export type Spaces = ReturnType<typeof spacesOf>;

export function spacesOf({ call }: Connection) {
  return {
    list: (options: ReadOptions = {}) => call('get', '/api/v3/spaces', {}, options),
    create: async (
      space: { readonly name: string; readonly type: 'personal' | 'team' },
      options: CommandOptions = {},
    ) => {
      const body = onlyKnown('field of a space', space, { name: true, type: true });
      return call('post', '/api/v3/spaces', { body }, options);
    },
  };
}

/** The projects in the spaces of a user. */
export type Projects = ReturnType<typeof projectsOf>;

export function projectsOf({ call }: Connection) {
  return {
    list: (options: ReadOptions = {}) => call('get', '/api/v3/projects', {}, options),
    create: async (
      { name, spaceId, ...unknown }: { readonly name: string; readonly spaceId: number },
      options: CommandOptions = {},
    ) => {
      refuseUnknown('field of a project', unknown);
      return call('post', '/api/v3/projects', { body: { name, space_id: spaceId } }, options);
    },
  };
}
