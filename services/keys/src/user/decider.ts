import type { AccessEvent } from '@mneme/contracts';
import type { AsyncDecider } from '@mneme/event-store';

/** What a user starts with; undefined before the user was seen for the first time. */
export type User = { readonly spaceId: number; readonly projectId: number } | undefined;

export interface JoinUser {
  readonly type: 'JoinUser';
  readonly userId: number;
  /** Takes an unused id; asked only when the user has not joined yet. */
  readonly take: (kind: 'space' | 'project') => Promise<number>;
}

export const userDecider: AsyncDecider<User, JoinUser, AccessEvent> = {
  initialState: undefined,
  decide: async ({ userId, take }, user) => {
    if (user) return [];
    const [spaceId, projectId] = await Promise.all([take('space'), take('project')]);
    return [{ type: 'UserJoined', data: { userId, spaceId, projectId } }];
  },
  evolve: (_user, event) => {
    if (event.type !== 'UserJoined') throw new Error(`${event.type} does not belong to a user`);
    return { spaceId: event.data.spaceId, projectId: event.data.projectId };
  },
};
