import { keys } from '@mneme/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KeysFixture, startKeysFixture } from '../testing/keys-fixture.ts';

let fixture: KeysFixture;
beforeAll(async () => {
  fixture = await startKeysFixture();
  await fixture.start({ ACCESS_POLICY: 'strict' });
});
afterAll(() => fixture?.stop());

it("a strict policy answers for another user's project as for a missing one", async () => {
  const owner = await fixture.newUser();
  const key = await fixture.createKey(owner);
  const { userId } = await fixture.newUser();
  for (const projectId of [owner.projectId, 987_654_321]) {
    const another = { userId, projectId };
    expect(await fixture.call(keys.listKeys, another)).toEqual([]);
    await expect(fixture.createKey(another)).rejects.toMatchObject({ status: 404, message: 'Project not found' });
  }
  expect((await fixture.call(keys.listKeys, owner)).map(({ id }) => id)).toEqual([key.id]);
});
