import { specify } from '@mneme/event-store/testing';
import { it } from 'vitest';
import { userDecider } from './decider.ts';

const join = { type: 'JoinUser', userId: 3, spaceId: 1, projectId: 2 } as const;

it('joins once, with the ids of the first time', () => {
  const joined = { type: 'UserJoined', data: { userId: 3, spaceId: 1, projectId: 2 } } as const;
  specify(userDecider).when(join).then([joined]);
  specify(userDecider)
    .given([joined])
    .when({ ...join, spaceId: 8, projectId: 9 })
    .then([]);
});
