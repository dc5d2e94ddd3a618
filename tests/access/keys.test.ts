import { createHash } from 'node:crypto';
import type { CreatedKeyReply } from '@mneme/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { createKey, keyOf, keysOf, newPerson, type Person, refusal, useKey } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { openEventLog } from '../system/stores/event-log.ts';

const path = '/api/v3/api-keys';
const dayMs = 86_400_000;
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const position = /^ACCESS:\d+$/;

let system: SharedSystem;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  system = await shareSystem();
  ana = await newPerson(system.http);
  ben = await newPerson(system.http);
  return system.release;
});

describe('creating', () => {
  test('answers 201 with the key, and the list shows the record without it', async () => {
    const request = { name: '  In production ', project_id: ana.projectId };
    const { status, headers, body } = await ana.http.post<CreatedKeyReply>(path, request);
    expect(status).toBe(201);
    expect(headers.get('x-event-position')).toMatch(position);
    expect(body).toEqual({
      id: expect.any(Number),
      key: expect.stringMatching(/^sk-[0-9a-f]{32}$/),
      key_prefix: body.key.slice(0, 7),
      name: 'In production',
      scopes: ['*'],
      rate_limit: 1_000,
      expires_at: null,
      created_at: timestamp,
      message: 'API key created. Store it now: it will not be shown again.',
    });
    const { key, message, ...listed } = body;
    const unused = { request_count: 0, last_used_at: null, is_active: true, agent_id: null, user_id: ana.userId };
    expect(await keysOf(ana)).toEqual([{ ...listed, ...unused }]);
    expect(await useKey(system.http, key)).toBe(200);
  });

  test('takes scopes once each, a limit, an end and an agent', async () => {
    const created = await createKey(ana, {
      scopes: ['memory:read', 'billing', 'memory:read'],
      rate_limit: 1_000_000,
      expires_in_days: 3_650,
      agent_id: 'guide',
    });
    expect(created).toMatchObject({ scopes: ['memory:read', 'billing'], rate_limit: 1_000_000 });
    const lasts = Date.parse(created.expires_at ?? '') - Date.parse(created.created_at);
    expect(Math.abs(lasts - 3_650 * dayMs)).toBeLessThan(5_000);
    const { expires_at } = created;
    expect(await keyOf(ana, created.id)).toMatchObject({ agent_id: 'guide', expires_at, rate_limit: 1_000_000 });
  });

  test.each([[[]], [['*', '*']], [Array.from({ length: 64 }, (_, index) => `scope-${index}`)]])(
    'many or few scopes are kept (%#)',
    async (scopes) => {
      expect((await createKey(ana, { scopes })).scopes).toEqual([...new Set(scopes)]);
    },
  );

  test('a name may have 255 characters, of any script', async () => {
    const name = `${'鍵'.repeat(254)}🔑`;
    expect((await createKey(ana, { name })).name).toBe(name);
  });

  test('what no table lists is ignored', async () => {
    const before = Math.max(...(await keysOf(ana)).map(({ id }) => id));
    const own = { user_id: ben.userId, userId: ben.userId, id: 999_999, request_count: 77, is_active: false };
    const more = { created_at: '2001-01-01T00:00:00.000Z', last_used_at: '2001-01-01T00:00:00.000Z' };
    const hash = createHash('sha256').update('sk-0123456789abcdef0123456789abcdef').digest('hex');
    const secret = { key: 'sk-0123456789abcdef0123456789abcdef', key_hash: hash, keyHash: hash, key_prefix: 'sk-evil' };
    const created = await createKey(ana, { ...own, ...more, ...secret, expires_at: '2001-01-01T00:00:00.000Z' });
    expect(created.key).not.toBe(secret.key);
    expect(created.id).toBeGreaterThan(before);
    expect(created.id).toBeLessThan(999_999);
    expect(await keyOf(ana, created.id)).toEqual({
      id: created.id,
      key_prefix: created.key.slice(0, 7),
      name: 'A key',
      scopes: ['*'],
      rate_limit: 1_000,
      expires_at: null,
      created_at: created.created_at,
      agent_id: null,
      user_id: ana.userId,
      request_count: 0,
      last_used_at: null,
      is_active: true,
    });
    expect(Date.now() - Date.parse(created.created_at)).toBeLessThan(60_000);
    expect(await useKey(system.http, secret.key)).toBe(401);
  });
});

describe('listing', () => {
  test('shows the newest first, of all owners, and none of another space', async () => {
    const owner = await newPerson(system.http);
    const inProject = { project_id: owner.projectId };
    const made = [await createKey(owner), await createKey(ben, inProject), await createKey(owner)];
    const listed = await keysOf(owner);
    expect(listed.map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse());
    expect(listed.map(({ user_id }) => user_id)).toEqual([owner.userId, ben.userId, owner.userId]);
    expect((await ben.http.get(`${path}?project_id=${owner.projectId}`)).body).toEqual(listed);
    expect((await keysOf(ben)).map(({ id }) => id)).not.toContain(made[1]?.id);
  });

  test('shows the keys of the space, whichever of its projects one names', async () => {
    const owner = await newPerson(system.http);
    const { body: project } = await owner.http.post('/api/v3/projects', { name: 'Two', space_id: owner.spaceId });
    const { id } = await createKey(owner, { project_id: project.id });
    expect((await keysOf(owner)).map((key) => key.id)).toEqual([id]);
  });

  test('is empty for a space without keys, and for a project that no one has', async () => {
    const owner = await newPerson(system.http);
    for (const project of [owner.projectId, 987_654_321]) {
      expect(await owner.http.get(`${path}?project_id=${project}`)).toMatchObject({ status: 200, body: [] });
    }
  });
});

describe('changing', () => {
  test('changes what is given, keeps the rest, and answers with the record', async () => {
    const { key, message, ...created } = await createKey(ana, { expires_in_days: 7, agent_id: 'guide' });
    const change = { name: '  Renamed ', scopes: ['memory:read', 'memory:read'], rate_limit: 5, is_active: false };
    const request = { project_id: ana.projectId, ...change };
    const { status, headers, body } = await ana.http.patch(`${path}/${created.id}`, request);
    expect(status).toBe(200);
    expect(headers.get('x-event-position')).toMatch(position);
    const changed = { name: 'Renamed', scopes: ['memory:read'], rate_limit: 5, is_active: false };
    expect(body).toEqual({ ...created, ...changed });
    expect(await keyOf(ana, created.id)).toMatchObject({ ...body, agent_id: 'guide', user_id: ana.userId });
    const nulls = { project_id: ana.projectId, name: null, scopes: null, rate_limit: null, is_active: null };
    for (const same of [{ project_id: ana.projectId }, nulls]) {
      expect(await ana.http.patch(`${path}/${created.id}`, same)).toMatchObject({ status: 200, body });
    }
  });

  test('is_active false refuses the key on the next request, true lets it in again', async () => {
    const { id, key } = await createKey(ana);
    for (const [is_active, status] of [
      [false, 401],
      [true, 200],
      [false, 401],
    ] as const) {
      await ana.http.patch(`${path}/${id}`, { project_id: ana.projectId, is_active });
      expect(await useKey(system.http, key)).toBe(status);
    }
  });

  test('what no table lists changes nothing', async () => {
    const { id, key } = await createKey(ana);
    const before = await keyOf(ana, id);
    const own = { id: id + 1, user_id: ben.userId, request_count: 77, created_at: '2001-01-01T00:00:00.000Z' };
    const more = { key_hash: 'a'.repeat(64), key_prefix: 'sk-evil', expires_at: '2001-01-01T00:00:00.000Z' };
    const request = { project_id: ana.projectId, ...own, ...more, agent_id: 'x', last_used_at: null };
    expect((await ana.http.patch(`${path}/${id}`, request)).status).toBe(200);
    expect(await keyOf(ana, id)).toEqual(before);
    expect(await useKey(system.http, key)).toBe(200);
  });
});

describe('revoking', () => {
  test('names the key, refuses it, and takes it from the list', async () => {
    const { id, key } = await createKey(ana, { name: "Ana's" });
    const answer = await ana.http.delete(`${path}/${id}?project_id=${ana.projectId}`);
    expect(answer).toMatchObject({ status: 200, body: { message: "API key 'Ana's' has been revoked" } });
    expect(Object.keys(answer.body)).toEqual(['message']);
    expect(answer.headers.get('x-event-position')).toMatch(position);
    expect(await useKey(system.http, key)).toBe(401);
    expect((await keysOf(ana)).map((listed) => listed.id)).not.toContain(id);
    const again = await ana.http.delete(`${path}/${id}?project_id=${ana.projectId}`);
    expect(again).toMatchObject(refusal(404, 'NOT_FOUND', 'API key not found'));
  });

  test('its id is not given out again', async () => {
    const { id } = await createKey(ana);
    await ana.http.delete(`${path}/${id}?project_id=${ana.projectId}`);
    expect((await createKey(ana)).id).toBeGreaterThan(id);
  });
});

describe('regenerating', () => {
  test('gives the record another key, and the old one opens nothing any more', async () => {
    const fields = { name: 'Worn', scopes: ['memory:read'], rate_limit: 70, expires_in_days: 9, agent_id: 'guide' };
    const { key, message, created_at, ...created } = await createKey(ana, fields);
    expect(await useKey(system.http, key)).toBe(200);
    const answer = await ana.http.post(`${path}/${created.id}/regenerate`, { project_id: ana.projectId });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-event-position')).toMatch(position);
    expect(answer.body).toEqual({
      ...created,
      key: expect.stringMatching(/^sk-[0-9a-f]{32}$/),
      key_prefix: answer.body.key.slice(0, 7),
      message: 'API key regenerated. The old key is no longer valid.',
    });
    expect(answer.body.key).not.toBe(key);
    expect(await useKey(system.http, key)).toBe(401);
    const record = await keyOf(ana, created.id);
    expect(record).toMatchObject({ created_at, is_active: true, request_count: 0, last_used_at: null });
    expect(record).toMatchObject({ expires_at: created.expires_at, agent_id: 'guide', user_id: ana.userId });
    expect(await useKey(system.http, answer.body.key)).toBe(200);
  });
});

describe('regenerating with an overlap', () => {
  const regenerate = (id: number, overlap_seconds?: unknown) =>
    ana.http.post(`${path}/${id}/regenerate`, { project_id: ana.projectId, overlap_seconds });
  const stateOf = (...keys: string[]) => Promise.all(keys.map((key) => useKey(system.http, key)));

  test('the old key stays valid, shares the limit of the new one, and is changed and revoked with it', async () => {
    const { id, key: old } = await createKey(ana, { rate_limit: 8 });
    const { status, body } = await regenerate(id, 3_600);
    const until = Date.parse(body.old_key_valid_until);
    expect([status, body.message]).toEqual([
      200,
      `API key regenerated. The old key is valid until ${body.old_key_valid_until}.`,
    ]);
    expect(until - Date.now()).toBeGreaterThan(3_500_000);
    expect(until - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect(await stateOf(old, body.key)).toEqual([200, 200]);
    expect(await keyOf(ana, id)).toMatchObject({ old_key_valid_until: body.old_key_valid_until });
    await expect.poll(async () => (await keyOf(ana, id)).request_count).toBe(2);

    const change = (fields: object) => ana.http.patch(`${path}/${id}`, { project_id: ana.projectId, ...fields });
    await change({ is_active: false });
    expect(await stateOf(old, body.key)).toEqual([401, 401]);
    await change({ is_active: true, rate_limit: 3 });
    expect(await stateOf(old)).toEqual([200]);
    expect(await stateOf(old, body.key)).toEqual([429, 429]);
    await ana.http.delete(`${path}/${id}?project_id=${ana.projectId}`);
    expect(await stateOf(old, body.key)).toEqual([401, 401]);
  });

  test('ends by itself, and with the next replacement', async () => {
    const { id, key: first } = await createKey(ana);
    const { body: second } = await regenerate(id, 1);
    await expect.poll(() => useKey(system.http, first)).toBe(401);
    expect(await keyOf(ana, id)).not.toHaveProperty('old_key_valid_until');
    const { body: third } = await regenerate(id, 600);
    expect(await stateOf(first, second.key, third.key)).toEqual([401, 200, 200]);
    const { body: fourth } = await regenerate(id, 600);
    expect(await stateOf(second.key, third.key, fourth.key)).toEqual([401, 200, 200]);
    const { body: fifth } = await regenerate(id, 0);
    expect(fifth).not.toHaveProperty('old_key_valid_until');
    expect(await stateOf(third.key, fourth.key, fifth.key)).toEqual([401, 401, 200]);
  });

  test('is refused beyond 7 days, and when it is no whole number of seconds', async () => {
    const { id, key } = await createKey(ana);
    for (const overlap of [604_801, -1, 1.5, '60', null]) {
      const { status, body } = await regenerate(id, overlap);
      expect([status, body.detail[0].loc]).toEqual([422, ['body', 'overlap_seconds']]);
    }
    expect((await regenerate(id, 604_800)).status).toBe(200);
    expect(await useKey(system.http, key)).toBe(200);
  });
});

test('unknown, inactive, replaced, revoked and expired keys get the same 401', async () => {
  const [inactive, replaced, revoked] = [await createKey(ana), await createKey(ana), await createKey(ana)];
  await ana.http.patch(`${path}/${inactive.id}`, { project_id: ana.projectId, is_active: false });
  await ana.http.post(`${path}/${replaced.id}/regenerate`, { project_id: ana.projectId });
  await ana.http.delete(`${path}/${revoked.id}?project_id=${ana.projectId}`);
  const unknown = 'sk-0123456789abcdef0123456789abcdef';
  const keys = [unknown, inactive.key, replaced.key, revoked.key, await expiredKey()];
  const answers = await Promise.all(keys.map((key) => system.http.as(key).get('/api/agents')));
  const seen = answers.map(({ status, headers, body: { request_id, ...body } }) => {
    return JSON.stringify([status, headers.get('www-authenticate'), body]);
  });
  expect(answers[0]).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  expect(new Set(seen).size).toBe(1);
});

/** A key that ended yesterday: no one can wait for one, so it is written into the log. */
async function expiredKey(): Promise<string> {
  const [key, keyId] = [`sk-${'e'.repeat(32)}`, 900_001];
  const log = await openEventLog(system.stack.natsUrl, 'ACCESS');
  const issued = {
    keyId,
    name: 'Expired',
    scopes: ['*'],
    rateLimit: 1_000,
    spaceId: ana.spaceId,
    projectId: ana.projectId,
    userId: ana.userId,
    keyHash: createHash('sha256').update(key).digest('hex'),
    keyPrefix: key.slice(0, 7),
    expiresAt: new Date(Date.now() - dayMs).toISOString(),
    agentId: null,
    commandId: 'expired',
  };
  await log.append(`access.key.${keyId}`, 'KeyIssued', issued);
  const min = { 'x-min-event-position': `ACCESS:${await log.head()}` };
  await log.close();
  const { body } = await ana.http.get(`${path}?project_id=${ana.projectId}`, min);
  expect(body[0]).toMatchObject({ id: keyId, is_active: true });
  return key;
}
