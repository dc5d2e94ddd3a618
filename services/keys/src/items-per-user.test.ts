import { randomUUID } from 'node:crypto';
import { keys } from '@mneme/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KeysFixture, startKeysFixture } from './testing/keys-fixture.ts';

let fixture: KeysFixture;
beforeAll(async () => {
  fixture = await startKeysFixture();
  await fixture.start({ ITEMS_PER_USER: '2' });
});
afterAll(() => fixture?.stop());

function refusedFor(what: string, advice: string) {
  const message = `You have 2 ${what}, the most that one user may have. ${advice} the operator of Mneme to raise ITEMS_PER_USER`;
  return { status: 409, code: 'CONFLICT', message };
}

it('a user with as many keys as one may have has to delete one before the next', async () => {
  const [user, other] = [await fixture.newUser(), await fixture.newUser()];
  const { id: keyId } = await fixture.createKey(user);
  await fixture.createKey(user);
  await expect(fixture.createKey(user)).rejects.toMatchObject(refusedFor('API keys', 'Delete one first, or ask'));
  await fixture.createKey(other);
  await fixture.call(keys.revokeKey, { ...user, keyId });
  await fixture.createKey(user);
});

it('counts spaces, and the projects in all of them', async () => {
  const { userId, spaceId } = await fixture.newUser();
  const createSpace = () =>
    fixture.call(keys.createSpace, { userId, name: 'Research', type: 'team', commandId: randomUUID() });
  const createProject = (space: number) =>
    fixture.call(keys.createProject, { userId, name: 'Bread', spaceId: space, commandId: randomUUID() });
  const { value: second } = await createSpace();
  await expect(createSpace()).rejects.toMatchObject(refusedFor('spaces', 'Ask'));
  await createProject(second.id);
  for (const space of [spaceId, second.id])
    await expect(createProject(space)).rejects.toMatchObject(refusedFor('projects', 'Ask'));
});
