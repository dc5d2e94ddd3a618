import { keys } from '@mneme/contracts';
import { beforeAll, expect, it } from 'vitest';
import { useKeysFixture } from '../testing/keys-fixture.ts';

const fixture = useKeysFixture();
beforeAll(() => fixture.start({ ACCESS_POLICY: 'strict' }));

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
