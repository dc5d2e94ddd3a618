import type { AccessEvent } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { expect, it } from 'vitest';
import { type JoinUser, userDecider } from './decider.ts';

const joined: AccessEvent = { type: 'UserJoined', data: { userId: 3, spaceId: 1, projectId: 2 } };
const join = (take: JoinUser['take']): JoinUser => ({ type: 'JoinUser', userId: 3, take });

it('a user joins with an unused id for a space and one for a project', async () => {
  const ids = { space: 1, project: 2 };
  await specify(userDecider)
    .when(join(async (kind) => ids[kind]))
    .then([joined]);
});

it('a user who has joined takes no other ids, so retries are safe', async () => {
  await specify(userDecider)
    .given([joined])
    .when(join(async () => expect.unreachable()))
    .then([]);
});

it('a user for whom there is no id does not join', async () => {
  const refusal = new Error('Too many wait for a new project');
  await specify(userDecider)
    .when(join(async (kind) => (kind === 'space' ? 1 : Promise.reject(refusal))))
    .thenRefuses(refusal);
});
