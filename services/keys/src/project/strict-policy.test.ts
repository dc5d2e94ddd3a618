import { randomUUID } from 'node:crypto';
import { keys } from '@mneme/contracts';
import { beforeAll, expect, it } from 'vitest';
import { useKeysFixture } from '../testing/keys-fixture.ts';

const fixture = useKeysFixture();
const strict = { ACCESS_POLICY: 'strict' };
let service: Awaited<ReturnType<typeof fixture.start>>;
beforeAll(async () => {
  service = await fixture.start(strict);
});

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

it('keys that others have made under another policy can be ended, and neither changed nor regenerated', async () => {
  await service.stop();
  service = await fixture.start();
  const owner = await fixture.newUser();
  const { userId } = await fixture.newUser();
  const maker = { userId, projectId: owner.projectId };
  const [first, second] = [await fixture.createKey(maker), await fixture.createKey(maker)];
  await service.stop();
  service = await fixture.start(strict);

  const unchanged = { name: null, scopes: null, rateLimit: null, isActive: null };
  const refused = { status: 403, code: 'FORBIDDEN' };
  const ofMaker = { ...maker, keyId: first.id };
  const regenerated = fixture.call(keys.regenerateKey, { ...ofMaker, commandId: randomUUID() });
  await expect(regenerated).rejects.toMatchObject(refused);
  const renamed = fixture.call(keys.updateKey, { ...ofMaker, ...unchanged, name: 'Mine' });
  await expect(renamed).rejects.toMatchObject(refused);

  const ofOwner = { ...owner, keyId: first.id };
  await fixture.call(keys.updateKey, { ...ofOwner, ...unchanged, isActive: false });
  expect(await fixture.keyRecord(first.key)).toMatchObject({ state: 'inactive' });
  await fixture.call(keys.revokeKey, ofOwner);
  await fixture.call(keys.revokeKey, { ...maker, keyId: second.id });
  for (const { key } of [first, second]) expect(await fixture.keyRecord(key)).toMatchObject({ state: 'revoked' });
});
