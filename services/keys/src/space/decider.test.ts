import { expect, it } from 'vitest';
import { spaceDecider } from './decider.ts';

const space = { spaceId: 1, name: 'Research', spaceType: 'team', ownerId: 3 } as const;

it('is made once and stays as it was made', () => {
  const events = spaceDecider.decide({ type: 'CreateSpace', space }, spaceDecider.initialState);
  expect(events).toEqual([{ type: 'SpaceCreated', data: space }]);
  const made = events.reduce(spaceDecider.evolve, spaceDecider.initialState);
  expect(spaceDecider.decide({ type: 'CreateSpace', space: { ...space, name: 'Other' } }, made)).toEqual([]);
  expect(made).toEqual(space);
});
