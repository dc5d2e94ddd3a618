import { randomUUID } from 'node:crypto';
import { keys } from '@mneme/contracts';
import { beforeAll, expect, it } from 'vitest';
import { useKeysFixture } from './testing/keys-fixture.ts';

const fixture = useKeysFixture();
beforeAll(() => fixture.start({ ITEMS_PER_USER: '2' }));

function refusedFor(what: string, advice: string) {
  const message = `You have 2 ${what}, the most that one user may have. ${advice} the operator of Mneme to raise ITEMS_PER_USER`;
  return { status: 409, code: 'CONFLICT', message };
}

it('a user with as many keys as one may have has to delete one before the next', async () => {
  const [user, other] = [await fixture.newUser(), await fixture.newUser()];
  const { id: keyId } = await fixture.createKey(user);
  const commandId = randomUUID();
  const last = await fixture.createKey(user, { commandId });
  await expect(fixture.createKey(user)).rejects.toMatchObject(refusedFor('API keys', 'Delete one first, or ask'));
  await fixture.createKey(other);
  expect(await fixture.createKey(user, { commandId }), 'the answer was lost').toMatchObject({ id: last.id });
  await fixture.call(keys.revokeKey, { ...user, keyId });
  await fixture.createKey(user);
});

it('counts spaces, and the projects in all of them', async () => {
  const { userId, spaceId } = await fixture.newUser();
  const createSpace = (commandId: string = randomUUID()) =>
    fixture.call(keys.createSpace, { userId, name: 'Research', type: 'team', commandId });
  const createProject = (space: number, commandId: string = randomUUID()) =>
    fixture.call(keys.createProject, { userId, name: 'Bread', spaceId: space, commandId });
  const repeated = randomUUID();
  const { value: second } = await createSpace(repeated);
  await expect(createSpace()).rejects.toMatchObject(refusedFor('spaces', 'Ask'));
  expect((await createSpace(repeated)).value, 'the answer was lost').toEqual(second);
  const { value: project } = await createProject(second.id, repeated);
  expect((await createProject(second.id, repeated)).value).toEqual(project);
  for (const space of [spaceId, second.id])
    await expect(createProject(space)).rejects.toMatchObject(refusedFor('projects', 'Ask'));
});

it('when the bucket of keys has no room for another one, none is issued, and those that are there can still be revoked', async () => {
  const user = await fixture.newUser();
  const { id: keyId } = await fixture.createKey(user);
  await fixture.boundKeyBucket();
  // The service measures again meanwhile.
  await fixture.createKey(await fixture.newUser());
  const refused = {
    status: 503,
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/^There is no room for more API keys/),
  };
  await expect(fixture.createKey(user)).rejects.toMatchObject(refused);
  const regenerate = { ...user, keyId, overlapSeconds: 0, commandId: randomUUID() };
  await expect(fixture.call(keys.regenerateKey, regenerate)).rejects.toMatchObject(refused);
  await expect(fixture.call(keys.revokeKey, { ...user, keyId })).resolves.toBeDefined();
});
