import type { AccessEvent } from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';

/** What a user starts with; undefined before the user was seen for the first time. */
export type User = { readonly spaceId: number; readonly projectId: number } | undefined;

export interface JoinUser {
  readonly type: 'JoinUser';
  readonly userId: number;
  /** The ids for the first space and project, used unless the user has joined already. */
  readonly spaceId: number;
  readonly projectId: number;
}

export const userDecider: Decider<User, JoinUser, AccessEvent> = {
  initialState: undefined,
  decide: ({ userId, spaceId, projectId }, user) =>
    user ? [] : [{ type: 'UserJoined', data: { userId, spaceId, projectId } }],
  evolve: (_user, event) => {
    if (event.type !== 'UserJoined') throw new Error(`${event.type} does not belong to a user`);
    return { spaceId: event.data.spaceId, projectId: event.data.projectId };
  },
};
