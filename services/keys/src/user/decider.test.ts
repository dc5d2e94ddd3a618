import { expect, it } from 'vitest';
import { userDecider } from './decider.ts';

const join = { type: 'JoinUser', userId: 3, spaceId: 1, projectId: 2 } as const;

it('joins once, with the numbers of the first time', () => {
  const events = userDecider.decide(join, userDecider.initialState);
  expect(events).toEqual([{ type: 'UserJoined', data: { userId: 3, spaceId: 1, projectId: 2 } }]);
  const user = events.reduce(userDecider.evolve, userDecider.initialState);
  expect(user).toEqual({ spaceId: 1, projectId: 2 });
  expect(userDecider.decide({ ...join, spaceId: 8, projectId: 9 }, user)).toEqual([]);
});
