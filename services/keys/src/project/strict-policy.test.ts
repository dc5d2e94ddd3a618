import { keys } from '@mneme/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KeysFixture, startKeysFixture } from '../testing/keys-fixture.ts';

let fixture: KeysFixture;
beforeAll(async () => {
  fixture = await startKeysFixture();
  await fixture.start({ ACCESS_POLICY: 'strict' });
}, 120_000);
afterAll(() => fixture?.stop());

it("a strict policy shows nothing of somebody else's project, as if there were none", async () => {
  const owner = await fixture.newUser();
  const key = await fixture.createKey(owner);
  const { userId } = await fixture.newUser();
  const stranger = { userId, projectId: owner.projectId };
  expect(await fixture.call(keys.listKeys, stranger)).toEqual([]);
  await expect(fixture.createKey(stranger)).rejects.toMatchObject({ status: 404, message: 'Project not found' });
  expect((await fixture.call(keys.listKeys, owner)).map(({ id }) => id)).toEqual([key.id]);
});
