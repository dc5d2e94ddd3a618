import { accessStream, accessSubjects, keys } from '@mneme/contracts';
import { removeForeign } from '@mneme/event-store';
import { atFullLength } from '@mneme/local-stack/testing';
import { beforeAll, expect, it } from 'vitest';
import { useKeysFixture } from '../testing/keys-fixture.ts';

const fixture = useKeysFixture();
beforeAll(() => fixture.start());

it.runIf(atFullLength)(
  'a key with a message that is no event is revoked once that is removed, and a rebuilt bucket knows it',
  {
    timeout: 90_000,
  },
  async () => {
    const user = await fixture.newUser();
    const { id: keyId, key } = await fixture.createKey(user);
    const request = { userId: user.userId, projectId: user.projectId, keyId };
    const { seq } = (await fixture.connection.request(accessSubjects.key(keyId), 'no event')).json<{ seq: number }>();
    const change = { ...request, name: null, scopes: null, rateLimit: null, isActive: false };
    const waits = { status: 503, code: 'READ_MODEL_BEHIND', message: expect.stringContaining(`${seq}`) };
    await expect(fixture.call(keys.updateKey, change)).rejects.toMatchObject(waits);
    const position = { stream: accessStream.name, sequence: seq };
    await removeForeign(fixture.connection, position, async () => undefined);
    // The bucket and the read model may have been waiting for it.
    const isActive = async () => (await fixture.call(keys.updateKey, change)).value.is_active;
    await expect.poll(() => isActive().catch(() => null), { timeout: 60_000 }).toBe(false);
    expect(await fixture.keyRecord(key)).toMatchObject({ state: 'inactive' });
    await fixture.call(keys.revokeKey, request);
    expect(await fixture.keyRecord(key)).toMatchObject({ state: 'revoked' });
    await fixture.call(keys.rebuild, {});
    expect(await fixture.keyRecord(key)).toMatchObject({ state: 'revoked' });
  },
);
