import { hash } from 'node:crypto';
import { keys } from '@mneme/contracts';
import { beforeAll, expect, it } from 'vitest';
import { accessCollections } from '../access-rows/rows.ts';
import { useKeysFixture } from '../testing/keys-fixture.ts';

const fixture = useKeysFixture();
beforeAll(() => fixture.start());

it('is refused while the keys have too many scopes for one answer, and can be read in parts', async () => {
  const user = await fixture.newUser();
  const scopes = Array.from({ length: 16 }, (_, index) => `${index}`.padEnd(250, 'x'));
  const { id } = await fixture.createKey(user, { scopes });
  const rows = accessCollections(fixture.db, 1).keys;
  const row = await rows.findOne({ _id: id });
  if (!row) throw new Error('The key has no row');
  const createdAt = (index: number) => new Date(row.createdAt.getTime() + index);
  const copy = (index: number) => ({
    ...row,
    _id: id + index,
    keyHash: hash('sha256', `${index}`),
    createdAt: createdAt(index),
  });
  const copies = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => copy(from + index));
  const list = (part: { limit?: number; offset?: number } = {}) => fixture.call(keys.listKeys, { ...user, ...part });
  await rows.insertMany(copies(1, 3_500));
  expect(await list()).toHaveLength(3_500);
  await rows.insertMany(copies(3_500, 5_000));
  const message = 'The keys of the space are too large to be listed at once; list a part of them with limit and offset';
  await expect(list()).rejects.toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE', message });
  const parts = [await list({ limit: 3_000 }), await list({ limit: 3_000, offset: 3_000 })];
  expect(parts.map((part) => part.length)).toEqual([3_000, 2_000]);
  expect(parts.flat().map((key) => key.id)).toEqual(Array.from({ length: 5_000 }, (_, index) => id + 4_999 - index));
});
