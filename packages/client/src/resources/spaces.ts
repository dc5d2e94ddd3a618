import type { Connection } from '../http/connection.ts';
import type { CommandOptions, ReadOptions } from '../http/request.ts';

/** The spaces of a user. */
export type Spaces = ReturnType<typeof spacesOf>;

export function spacesOf({ call }: Connection) {
  return {
    list: (options: ReadOptions = {}) => call('get', '/api/v3/spaces', options),
    create: (space: { readonly name: string; readonly type: 'personal' | 'team' }, options: CommandOptions = {}) =>
      call('post', '/api/v3/spaces', { ...options, body: space }),
  };
}

/** The projects in the spaces of a user. */
export type Projects = ReturnType<typeof projectsOf>;

export function projectsOf({ call }: Connection) {
  return {
    list: (options: ReadOptions = {}) => call('get', '/api/v3/projects', options),
    create: ({ name, spaceId }: { readonly name: string; readonly spaceId: number }, options: CommandOptions = {}) =>
      call('post', '/api/v3/projects', { ...options, body: { name, space_id: spaceId } }),
  };
}
