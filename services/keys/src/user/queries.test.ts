import { useTestMongo } from '@mneme/read-models/testing';
import { longestStallOf } from '@mneme/workers/testing';
import { expect, it } from 'vitest';
import { accessCollections } from '../access-rows/rows.ts';
import { me } from './queries.ts';

const mongo = useTestMongo();

const createdAt = new Date();

it('10,000 spaces and projects of a user are told without a stall, each space with its own', async () => {
  const longestStallMs = 250;
  const ids = Array.from({ length: 10_000 }, (_, index) => index + 1);
  const rows = accessCollections(mongo.client.db('me'), 1);
  const space = { name: 'Space', type: 'team', ownerId: 7, createdAt, sequence: 1 } as const;
  await rows.spaces.insertMany(ids.map((_id) => ({ _id, ...space })));
  // The first space has two projects, and the last one none.
  const projects = ids.map((_id) => ({ _id, spaceId: Math.max(1, _id - 1), name: 'Default', createdAt }));
  await rows.projects.insertMany(projects);
  const stallMs = await longestStallOf(async () => {
    const { spaces } = await me(rows, 7);
    const found = [spaces[0], spaces[1], spaces.at(-1)].map((each) => each?.projects.map(({ id }) => id));
    expect([spaces.length, ...found]).toEqual([10_000, [1, 2], [3], []]);
  }, longestStallMs);
  expect(stallMs).toBeLessThan(longestStallMs);
});
