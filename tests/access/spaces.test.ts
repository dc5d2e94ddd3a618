import { randomUUID } from 'node:crypto';
import type { MeReply, ProjectReply, SpaceReply } from '@mneme/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { keysOf, newPerson, useKey } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { tokenOf } from '../system/tokens.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const [me, spaces, projects, keys] = ['/api/v3/me', '/api/v3/spaces', '/api/v3/projects', '/api/v3/api-keys'] as const;

let system: SharedSystem;
beforeAll(async () => {
  system = await shareSystem();
  return system.release;
});

describe('the first request of a user', () => {
  test('makes a personal space and a project, once', async () => {
    const http = system.http.as(tokenOf(11));
    const { status, body } = await http.get<MeReply>(me);
    expect(status).toBe(200);
    const project = { id: expect.any(Number), name: 'Default' };
    const space = { id: expect.any(Number), name: 'Personal', type: 'personal', projects: [project] };
    expect(body).toEqual({ user_id: 11, spaces: [space] });
    expect((await http.get(me)).body).toEqual(body);
    const [id, project_id] = [body.spaces[0]?.id, body.spaces[0]?.projects[0]?.id];
    const listed = [{ id, name: 'Personal', type: 'personal', owner_id: 11, created_at: timestamp }];
    expect((await http.get(spaces)).body).toEqual(listed);
    const inSpace = [{ id: project_id, name: 'Default', space_id: id, created_at: timestamp }];
    expect((await http.get(projects)).body).toEqual(inSpace);
  });

  test('ten at once, whichever they are, make one of each', async () => {
    const http = system.http.as(tokenOf(12));
    const requests = Array.from({ length: 10 }, (_, index) =>
      http.get([me, spaces, projects, '/api/agents'][index % 4] ?? me),
    );
    for (const { status } of await Promise.all(requests)) expect(status).toBe(200);
    expect((await http.get<MeReply>(me)).body.spaces).toHaveLength(1);
    expect((await http.get(spaces)).body).toHaveLength(1);
    expect((await http.get(projects)).body).toHaveLength(1);
  });

  test('may be to store a memory', async () => {
    const http = system.http.as(tokenOf(13));
    const batch = { agent_id: 'a', items: [{ content: 'Alice moved to Lisbon.' }] };
    expect((await http.post('/api/memories/batch', batch)).status).toBe(200);
    expect((await http.get<MeReply>(me)).body.spaces).toHaveLength(1);
    expect((await http.get('/api/list')).body.total).toBe(1);
  });
});

describe('creating', () => {
  test.each(['personal', 'team'])('a %s space and a project in it', async (type) => {
    const owner = await newPerson(system.http);
    const space = await owner.http.post<SpaceReply>(spaces, { name: ' Research ', type, owner_id: 1, id: 1 });
    expect(space.status).toBe(201);
    expect(space.headers.get('x-event-position')).toMatch(/^ACCESS:\d+$/);
    const { id } = space.body;
    expect(space.body).toEqual({ id, name: 'Research', type, owner_id: owner.userId, created_at: timestamp });
    expect(id).not.toBe(owner.spaceId);
    const project = await owner.http.post<ProjectReply>(projects, { name: ' Bot ', space_id: id });
    expect(project.status).toBe(201);
    expect(project.headers.get('x-event-position')).toMatch(/^ACCESS:\d+$/);
    expect(project.body).toEqual({ id: project.body.id, name: 'Bot', space_id: id, created_at: timestamp });
    expect((await owner.http.get(spaces)).body).toContainEqual(space.body);
    expect((await owner.http.get(projects)).body).toContainEqual(project.body);
    const { body } = await owner.http.get<MeReply>(me);
    const inMe = { id, name: 'Research', type, projects: [{ id: project.body.id, name: 'Bot' }] };
    expect(body.spaces).toHaveLength(2);
    expect(body.spaces).toContainEqual(inMe);
  });

  test('shows in no one else’s lists', async () => {
    const [owner, other] = [await newPerson(system.http), await newPerson(system.http)];
    await owner.http.post(spaces, { name: 'Research', type: 'team' });
    for (const path of [spaces, projects]) expect((await other.http.get(path)).body).toHaveLength(1);
    expect((await other.http.get<MeReply>(me)).body.spaces.map(({ id }) => id)).toEqual([other.spaceId]);
  });
});

test('the same create with the same Idempotency-Key is one record and one answer, also ten times at once', async () => {
  const owner = await newPerson(system.http);
  const requests = [
    [spaces, { name: 'Research', type: 'team' }],
    [projects, { name: 'Bot', space_id: owner.spaceId }],
    [keys, { name: 'Bot', project_id: owner.projectId }],
  ] as const;
  for (const [path, body] of requests) {
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => owner.http.post(path, body, key)));
    const again = await owner.http.post(path, body, key);
    for (const answer of answers) {
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual(again.body);
    }
    expect(again.headers.get('x-event-position')).toMatch(/^ACCESS:\d+$/);
    if (path === keys) expect(await useKey(system.http, again.body.key)).toBe(200);
  }
  expect((await owner.http.get(spaces)).body).toHaveLength(2);
  expect((await owner.http.get(projects)).body).toHaveLength(2);
  expect(await keysOf(owner)).toHaveLength(1);
});

test('a read with X-Min-Event-Position sees what was written up to there', async () => {
  const owner = await newPerson(system.http);
  for (let count = 1; count <= 10; count++) {
    const project = await owner.http.post(projects, { name: `Bot ${count}`, space_id: owner.spaceId });
    const min = { 'x-min-event-position': project.headers.get('x-event-position') ?? '' };
    expect((await owner.http.get(projects, min)).body).toHaveLength(count + 1);
    expect((await owner.http.get(me, min)).body.spaces[0].projects).toHaveLength(count + 1);
  }
  expect((await owner.http.get(projects, { 'x-min-event-position': 'ACCESS:1000000' })).status).toBe(400);
});
