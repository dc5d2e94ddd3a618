import type { SpaceOwner } from '@mneme/contracts';
import { foldEvent } from '@mneme/read-models';
import { expect, it } from 'vitest';
import { spaceOwnerRules } from './space-owners.ts';

/** The records after spaces of user 3 were created, each given with the sequence of its event. */
function given(...spaces: [spaceId: number, sequence: number][]) {
  const records = new Map<string, SpaceOwner>();
  for (const [spaceId, sequence] of spaces) {
    const data = { spaceId, name: 'Space', spaceType: 'team', ownerId: 3 } as const;
    const event = { type: 'SpaceCreated', data, position: { stream: 'ACCESS', sequence } };
    foldEvent(spaceOwnerRules, records, event as never);
  }
  return records;
}

it("knows a user's spaces, the first one as the personal one, in whatever order the events are applied", () => {
  const owner = { personalSpaceId: 4, spaceIds: [4, 6], sequence: 8 };
  expect(given([4, 2], [6, 8])).toEqual(new Map([['3', owner]]));
  expect(given([6, 8], [4, 2], [4, 2])).toEqual(new Map([['3', owner]]));
});
