import type { AccessEvent } from '@mneme/contracts';
import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { projectCollections, writesOf } from './projection.ts';

// Never connected: the collections only give their names.
const rows = projectCollections(new MongoClient('mongodb://127.0.0.1').db('test'), 3);

/** The rows that are written for an event. */
function given(event: AccessEvent) {
  return writesOf(rows, event).map((write) => write.name === 'replaceOne' && [write.filter, write.replacement]);
}

it('has the owner and type of a space, the space of a project, and nothing of other events', () => {
  const space = { spaceId: 3, name: 'Space', spaceType: 'team', ownerId: 1 } as const;
  expect(given({ type: 'SpaceCreated', data: space })).toEqual([[{ _id: 3 }, { type: 'team', ownerId: 1 }]]);
  const project = { projectId: 5, spaceId: 3, name: 'Default', createdBy: 1 };
  expect(given({ type: 'ProjectCreated', data: project })).toEqual([[{ _id: 5 }, { spaceId: 3 }]]);
  expect(given({ type: 'UserJoined', data: { userId: 1, spaceId: 3, projectId: 5 } })).toEqual([]);
});
