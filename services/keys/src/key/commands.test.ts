import { randomUUID } from 'node:crypto';
import { accessBuckets, accessStream, issuedKeyPattern, keys } from '@mneme/contracts';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type KeysFixture, useKeysFixture } from '../testing/keys-fixture.ts';
import { markOf } from './commands.ts';

const fixture = useKeysFixture();
let service: Awaited<ReturnType<KeysFixture['start']>>;
beforeAll(async () => {
  service = await fixture.start();
});

const keep = { name: null, scopes: null, isActive: null, rateLimit: null };
const list = (owner: { userId: number; projectId: number }) => fixture.call(keys.listKeys, owner);
const regenerate = (ref: { userId: number; projectId: number; keyId: number }, commandId: string = randomUUID()) =>
  fixture.call(keys.regenerateKey, { ...ref, commandId });

async function someKey(more: Parameters<KeysFixture['createKey']>[1] = {}) {
  const user = await fixture.newUser();
  const created = await fixture.createKey(user, more);
  return { ...user, keyId: created.id, key: created.key, created };
}

/** Puts the clock ahead until the test ends. */
function advanceClock(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  onTestFinished(() => void vi.useRealTimers());
}

async function stateOf(key: string) {
  return (await fixture.keyRecord(key))?.state;
}

describe('creating a key', () => {
  it('replies with the key once the gateway can recognise it', async () => {
    const { created, key, userId, spaceId, keyId } = await someKey({ scopes: ['memory:read'], rateLimit: 7 });
    expect(key).toMatch(issuedKeyPattern);
    expect(created).toEqual({
      id: keyId,
      key,
      key_prefix: key.slice(0, 7),
      name: 'Assistant',
      scopes: ['memory:read'],
      rate_limit: 7,
      expires_at: null,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      message: 'API key created. Store it now: it will not be shown again.',
    });
    expect(await fixture.keyRecord(key)).toMatchObject({
      keyId,
      spaceId,
      userId,
      scopes: ['memory:read'],
      rateLimit: 7,
      agentId: null,
      state: 'active',
      expiresAt: null,
    });
  });

  it('is listed without the key, the newest first, for every user who knows the project', async () => {
    const first = await someKey({ agentId: 7 });
    const second = await fixture.createKey(first, { name: 'Second' });
    const another = await fixture.newUser();
    const listed = await list({ ...first, userId: another.userId });
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.keyId]);
    const { key, message, ...shown } = first.created;
    const counted = { request_count: 0, last_used_at: null, is_active: true, agent_id: 7, user_id: first.userId };
    expect(listed[1]).toEqual({ ...shown, ...counted });
  });

  it('in no project is refused, and listing one shows nothing', async () => {
    const { userId } = await fixture.newUser();
    const nowhere = { userId, projectId: 999_999 };
    await expect(fixture.createKey(nowhere)).rejects.toMatchObject({ status: 404, message: 'Project not found' });
    expect(await list(nowhere)).toEqual([]);
  });

  it('expires the given number of days from now', async () => {
    const { created } = await someKey({ expiresInDays: 2 });
    const inTwoDays = Date.parse(created.created_at) + 2 * 86_400_000;
    expect(Math.abs(Date.parse(created.expires_at ?? '') - inTwoDays)).toBeLessThan(5_000);
  });

  it('by a command that comes again right afterwards gives the same key', async () => {
    const commandId = randomUUID();
    const { userId, projectId, created } = await someKey({ commandId });
    expect(await fixture.createKey({ userId, projectId }, { commandId })).toEqual(created);
  });

  it('by a command that comes again after the key is forgotten makes no second record, and another key', async () => {
    const commandId = randomUUID();
    const { userId, projectId, key, keyId } = await someKey({ commandId });
    await service.stop();
    service = await fixture.start();
    // Another process may be about to answer, as far as this one knows.
    const early = fixture.createKey({ userId, projectId }, { commandId });
    await expect(early).rejects.toMatchObject({ status: 503, extra: { retry_after: expect.any(Number) } });
    expect(await stateOf(key)).toBe('active');
    // Its answer has certainly been lost.
    advanceClock(10 * 60_000);
    const again = await fixture.createKey({ userId, projectId }, { commandId });
    expect([again.id, again.key === key]).toEqual([keyId, false]);
    expect(await list({ userId, projectId })).toHaveLength(1);
    expect([await stateOf(key), await stateOf(again.key)]).toEqual(['replaced', 'active']);
  });

  it('by one command at two instances at once gives one key, which works, or asks to try again', async () => {
    const user = await fixture.newUser();
    const ref = { ...user, keyId: (await fixture.createKey(user)).id };
    const second = await fixture.start();
    for (let round = 0; round < 5; round += 1) {
      const commandId = randomUUID();
      const ten = <Made>(make: () => Promise<Made>) => Promise.allSettled(Array.from({ length: 10 }, make));
      const created = await ten(async () => (await fixture.createKey(user, { commandId })).key);
      const regenerated = await ten(async () => (await regenerate(ref, commandId)).value.key);
      for (const answers of [created, regenerated]) {
        const made = new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])));
        const failed = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.status] : []));
        expect(made.size).toBe(1);
        expect(failed.every((status) => status === 503)).toBe(true);
        expect(await Promise.all([...made].map(stateOf))).toEqual(['active']);
      }
    }
    await second.stop();
  });
});

describe('changing a key', () => {
  it('changes what is given and keeps the rest', async () => {
    const { created, ...ref } = await someKey({ expiresInDays: 1, scopes: ['memory:read'] });
    const { value } = await fixture.call(keys.updateKey, { ...ref, ...keep, name: 'Other', rateLimit: 5 });
    const { key, message, ...shown } = created;
    expect(value).toEqual({ ...shown, name: 'Other', rate_limit: 5, is_active: true });
    expect(await fixture.keyRecord(ref.key)).toMatchObject({ rateLimit: 5, scopes: ['memory:read'], state: 'active' });
  });

  it('deactivates it before the reply is sent, and activates it again', async () => {
    const ref = await someKey();
    await fixture.call(keys.updateKey, { ...ref, ...keep, isActive: false });
    expect(await stateOf(ref.key)).toBe('inactive');
    await fixture.call(keys.updateKey, { ...ref, ...keep, isActive: true });
    expect(await stateOf(ref.key)).toBe('active');
  });

  it('to what it is appends nothing, so retries are safe', async () => {
    const ref = await someKey();
    const { position, value } = await fixture.call(keys.updateKey, { ...ref, ...keep, isActive: true });
    expect([position, value.is_active]).toEqual([null, true]);
  });
});

describe('20 changes of a key at once', () => {
  it('are all made', async () => {
    const ref = await someKey();
    const names = Array.from({ length: 18 }, (_, n) => ({ name: `Name ${n}` }));
    const changes = [{ rateLimit: 5 }, ...names, { isActive: false }];
    await Promise.all(changes.map((change) => fixture.call(keys.updateKey, { ...ref, ...keep, ...change })));
    const [shown] = await list(ref);
    expect(shown).toMatchObject({ name: expect.stringMatching(/^Name/), rate_limit: 5, is_active: false });
  });

  it('leave one key that works when each makes a new one', async () => {
    const ref = await someKey();
    const done = await Promise.all(Array.from({ length: 20 }, () => regenerate(ref)));
    const states = await Promise.all([ref.key, ...done.map(({ value }) => value.key)].map(stateOf));
    expect(states.filter((state) => state !== 'replaced')).toEqual(['active']);
  });
});

describe('regenerating a key', () => {
  it('keeps the record and ends the old key', async () => {
    const ref = await someKey({ expiresInDays: 3, rateLimit: 9 });
    await fixture.call(keys.updateKey, { ...ref, ...keep, isActive: false });
    const { value } = await regenerate(ref);
    const { id, name, scopes, rate_limit, expires_at } = ref.created;
    const message = 'API key regenerated. The old key is no longer valid.';
    const { key } = value;
    expect(value).toEqual({ id, name, scopes, rate_limit, expires_at, key, key_prefix: key.slice(0, 7), message });
    expect([await stateOf(ref.key), await stateOf(key)]).toEqual(['replaced', 'inactive']);
    expect((await fixture.keyRecord(key))?.expiresAt).toBe(expires_at);
  });

  it('twice at once leaves exactly one key that works', async () => {
    const ref = await someKey();
    const done = await Promise.all([regenerate(ref), regenerate(ref), regenerate(ref)]);
    const states = await Promise.all([ref.key, ...done.map(({ value }) => value.key)].map(stateOf));
    expect(states.filter((state) => state === 'active')).toHaveLength(1);
    expect(states.filter((state) => state === 'replaced')).toHaveLength(3);
  });

  it('concurrently with revoking leaves none that works', async () => {
    const ref = await someKey();
    const [regenerated] = await Promise.allSettled([regenerate(ref), fixture.call(keys.revokeKey, ref)]);
    const later = regenerated.status === 'fulfilled' ? [regenerated.value.value.key] : [];
    for (const key of [ref.key, ...later]) expect(['replaced', 'revoked']).toContain(await stateOf(key));
    expect(await list(ref)).toEqual([]);
  });
});

describe('revoking a key', () => {
  it('names it, ends it and takes it from the list', async () => {
    const ref = await someKey({ name: 'Old one' });
    expect((await fixture.call(keys.revokeKey, ref)).value).toEqual({ name: 'Old one' });
    expect(await stateOf(ref.key)).toBe('revoked');
    expect(await list(ref)).toEqual([]);
    await expect(fixture.call(keys.revokeKey, ref)).rejects.toMatchObject({
      status: 404,
      message: 'API key not found',
    });
  });
});

describe('a command about one key is refused', () => {
  const commands = {
    edit: (ref: KeyRefs) => fixture.call(keys.updateKey, { ...ref, ...keep, name: 'Mine' }),
    delete: (ref: KeyRefs) => fixture.call(keys.revokeKey, ref),
    regenerate: (ref: KeyRefs) => regenerate(ref),
  };
  type KeyRefs = { userId: number; projectId: number; keyId: number };

  it.each(['edit', 'delete', 'regenerate'] as const)(
    '%s: first for the storage, then the key, then the owner',
    async (verb) => {
      const ref = await someKey();
      const other = await fixture.newUser();
      const command = commands[verb];
      const noStorage = { status: 404, code: 'NOT_FOUND', message: 'api_keys_list table not found' };
      await expect(command({ ...ref, projectId: 999_999 })).rejects.toMatchObject(noStorage);
      await expect(command({ ...ref, projectId: other.projectId })).rejects.toMatchObject(noStorage);
      await fixture.createKey(other);
      const noKey = { status: 404, code: 'NOT_FOUND', message: 'API key not found' };
      await expect(command({ ...ref, projectId: other.projectId })).rejects.toMatchObject(noKey);
      await expect(command({ ...ref, keyId: 999_999 })).rejects.toMatchObject(noKey);
      const message = `You can only ${verb} your own API keys`;
      const notYours = { status: 403, code: 'FORBIDDEN', message };
      await expect(command({ ...ref, userId: other.userId })).rejects.toMatchObject(notYours);
      expect(await stateOf(ref.key)).toBe('active');
    },
  );

  it('for the key, and not the storage, once all keys of the space are revoked', async () => {
    const ref = await someKey();
    await fixture.call(keys.revokeKey, ref);
    const noKey = { status: 404, message: 'API key not found' };
    await expect(regenerate(ref)).rejects.toMatchObject(noKey);
    await expect(regenerate({ ...ref, keyId: 999_999 })).rejects.toMatchObject(noKey);
  });
});

it('a key is stored nowhere and logged nowhere', async () => {
  const ref = await someKey();
  const { value } = await regenerate(ref);
  const collections = await fixture.db.collections();
  const rows = await Promise.all(collections.map((collection) => collection.find({}).toArray()));
  const streams = [accessStream.name, `KV_${accessBuckets.apiKeys.name}`, `KV_${accessBuckets.spaceOwners.name}`];
  const messages = await Promise.all(streams.map((stream) => fixture.messagesOf(stream)));
  const everything = JSON.stringify([rows, messages]) + fixture.logged.join('');
  for (const key of [ref.key, value.key]) {
    expect(everything).toContain(markOf(key).keyHash);
    expect(everything).not.toContain(key.slice('sk-'.length));
    expect(fixture.logged.join('')).not.toContain(markOf(key).keyHash);
  }
});

describe('an unexpected error', () => {
  it('is left unexplained for the gateway to word, and is logged', async () => {
    const ref = await someKey();
    const rows = fixture.db.collection<{ _id: number }>('access_keys@1');
    await rows.updateOne({ _id: ref.keyId }, { $set: { createdAt: 'yesterday' } });
    const unexplained = { status: 500, code: 'INTERNAL_ERROR', isUnexplained: true };
    await expect(list(ref)).rejects.toMatchObject(unexplained);
    const change = fixture.call(keys.updateKey, { ...ref, ...keep, name: 'Other' });
    await expect(change).rejects.toMatchObject(unexplained);
    expect(fixture.logged.at(-1)).toContain('toISOString');
  });
});
