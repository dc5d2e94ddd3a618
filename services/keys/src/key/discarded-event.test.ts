import { accessSubjects, keys } from '@mneme/contracts';
import { discardDeadLetter, operatedSystem } from '@mneme/read-models';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KeysFixture, startKeysFixture } from '../testing/keys-fixture.ts';

let fixture: KeysFixture;

beforeAll(async () => {
  fixture = await startKeysFixture();
  await fixture.start();
});
afterAll(() => fixture.stop());

/** Discards the dead letters of all readers, once there are so many. */
async function discardAll(count: number) {
  const system = operatedSystem(fixture.connection, { request: fixture.call });
  await expect.poll(() => system.deadLetters.count(), { timeout: 10_000 }).toBe(count);
  const { entries } = await system.deadLetters.page(1, 100, 1e6);
  for (const { sequence } of entries) await discardDeadLetter(system, sequence);
}

it('a key with a damaged event is revoked once that is discarded, and a rebuilt bucket knows it', async () => {
  const user = await fixture.newUser();
  const { id: keyId, key } = await fixture.createKey(user);
  const request = { userId: user.userId, projectId: user.projectId, keyId };
  const { seq } = (await fixture.connection.request(accessSubjects.key(keyId), 'no event')).json<{ seq: number }>();
  const change = { ...request, name: null, scopes: null, rateLimit: null, isActive: false };
  const waits = { status: 503, code: 'READ_MODEL_BEHIND', message: expect.stringContaining(`${seq}`) };
  await expect(fixture.call(keys.updateKey, change)).rejects.toMatchObject(waits);
  // Of the read model and of both buckets.
  await discardAll(3);
  expect((await fixture.call(keys.updateKey, change)).value.is_active).toBe(false);
  expect(await fixture.keyRecord(key)).toMatchObject({ state: 'inactive' });
  await fixture.call(keys.revokeKey, request);
  expect(await fixture.keyRecord(key)).toMatchObject({ state: 'revoked' });
  await fixture.call(keys.rebuild, {});
  expect(await fixture.keyRecord(key)).toMatchObject({ state: 'revoked' });
});
