import { specify } from '@mneme/event-store/testing';
import { it } from 'vitest';
import { spaceDecider } from './decider.ts';

const space = { spaceId: 1, name: 'Research', spaceType: 'team', ownerId: 3 } as const;

it('is created once, however often the command comes', () => {
  const created = { type: 'SpaceCreated', data: space } as const;
  specify(spaceDecider).when({ type: 'CreateSpace', space }).then([created]);
  const repeated = { type: 'CreateSpace', space: { ...space, name: 'Other' } } as const;
  specify(spaceDecider).given([created]).when(repeated).then([]);
});
