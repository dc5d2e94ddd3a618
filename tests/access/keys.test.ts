import type { CreatedKeyReply } from '@mneme/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { createKey, keyOf, keysOf, newPerson, type Person, useKey } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

const path = '/api/v3/api-keys';
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

test('a change is of what is given, keeps the rest, and is answered with the record', async () => {
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

test('the id of a revoked key is not given out again', async () => {
  const { id } = await createKey(ana);
  await ana.http.delete(`${path}/${id}?project_id=${ana.projectId}`);
  expect((await createKey(ana)).id).toBeGreaterThan(id);
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
