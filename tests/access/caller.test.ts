import { beforeAll, expect, test } from 'vitest';
import { createKey, newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { tokenOf } from '../system/tokens.ts';

let system: SharedSystem;
let person: Person;
beforeAll(async () => {
  system = await shareSystem();
  person = await newPerson(system.http);
  return system.release;
});

const path = '/api/v3/caller';

test('a user is told of spaces, and of the one that is used', async () => {
  const { body } = await person.http.get(path);
  expect(body).toEqual({
    kind: 'user',
    user_id: person.userId,
    is_operator: false,
    space_id: person.spaceId,
    spaces: [
      { id: person.spaceId, name: 'Personal', type: 'personal', projects: [{ id: person.projectId, name: 'Default' }] },
    ],
    can_read: true,
    can_write: true,
    agent_id: null,
    key: null,
  });
  const team = await person.http.post('/api/v3/spaces', { name: 'Research', type: 'team' });
  const after = { 'x-min-event-position': team.headers.get('x-event-position') ?? '' };
  const inTeam = await person.http.get(path, { ...after, 'x-space-id': String(team.body.id) });
  expect(inTeam.body).toMatchObject({ space_id: team.body.id, spaces: [{}, { name: 'Research' }] });
  expect((await person.http.get(path, { 'x-space-id': '999999999' })).status).toBe(403);
  expect((await system.http.as(tokenOf(1)).get(path)).body).toMatchObject({ user_id: 1, is_operator: true });
});

test('a key is told what it may do, also with scopes that grant nothing', async () => {
  const all = await createKey(person, { rate_limit: 50, agent_id: 'mine', expires_in_days: 1 });
  expect((await system.http.as(all.key).get(path)).body).toEqual({
    kind: 'key',
    user_id: person.userId,
    is_operator: false,
    space_id: person.spaceId,
    spaces: [],
    can_read: true,
    can_write: true,
    agent_id: 'mine',
    key: { id: all.id, scopes: ['*'], rate_limit: 50, expires_at: all.expires_at },
  });
  const reader = await createKey(person, { scopes: ['memory:read'] });
  expect((await system.http.as(reader.key).get(path)).body).toMatchObject({ can_read: true, can_write: false });
  const other = await createKey(person, { scopes: ['billing'] });
  const answer = await system.http.as(other.key).get(path);
  expect(answer.body).toMatchObject({ can_read: false, can_write: false, key: { scopes: ['billing'] } });
  expect(answer.headers.get('ratelimit')).toContain('r=999');
});

test('without credentials the caller is public, where that is allowed', async () => {
  expect((await system.http.get(path)).body).toMatchObject({
    kind: 'public',
    user_id: null,
    space_id: null,
    key: null,
  });
  expect((await system.http.as('nonsense').get(path)).status).toBe(401);
});

test('where a credential is required, keys and users get in, and what is for everybody stays open', async () => {
  const { http } = await system.addGateway({ MEMORY_AUTH: 'required' });
  for (const closed of [path, '/api/list']) expect((await http.get(closed)).status).toBe(401);
  for (const credential of [(await createKey(person)).key, tokenOf(person.userId)]) {
    expect((await http.as(credential).get('/api/list')).status).toBe(200);
  }
  for (const open of ['/', '/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']) {
    expect((await http.get(open)).status).toBe(200);
  }
});
