import { beforeAll, expect, test } from 'vitest';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { createKey, keysOf, newPerson, type Person, refusal, useKey } from './person.ts';

const path = '/api/v3/api-keys';

let system: SharedSystem;
let owner: Person;
let other: Person;
beforeAll(async () => {
  system = await shareSystem({ ACCESS_POLICY: 'strict' });
  owner = await newPerson(system.http);
  other = await newPerson(system.http);
  return system.release;
});

test('the owner of a space lists and creates its keys, as ever', async () => {
  const { id, key } = await createKey(owner);
  expect((await keysOf(owner)).map((listed) => listed.id)).toEqual([id]);
  expect(await useKey(system.http, key)).toBe(200);
  for (const type of ['personal', 'team']) {
    const { body: space } = await owner.http.post('/api/v3/spaces', { name: 'Mine', type });
    const { body: project } = await owner.http.post('/api/v3/projects', { name: 'Mine', space_id: space.id });
    await createKey(owner, { project_id: project.id });
  }
});

test('somebody else learns nothing of them, and makes none: as if the project did not exist', async () => {
  await createKey(owner);
  for (const project_id of [owner.projectId, 987_654_321]) {
    expect(await other.http.get(`${path}?project_id=${project_id}`)).toMatchObject({ status: 200, body: [] });
    const answer = await other.http.post(path, { name: 'Spy', project_id });
    expect(answer).toMatchObject(refusal(404, 'NOT_FOUND', 'Project not found'));
  }
  expect((await keysOf(owner)).map(({ user_id }) => user_id)).not.toContain(other.userId);
});

test('keys of others are neither changed nor ended', async () => {
  const { id, key } = await createKey(owner);
  const body = { project_id: owner.projectId };
  const answers = await Promise.all([
    other.http.patch(`${path}/${id}`, { ...body, is_active: false }),
    other.http.delete(`${path}/${id}?project_id=${owner.projectId}`),
    other.http.post(`${path}/${id}/regenerate`, body),
  ]);
  for (const { status } of answers) expect([403, 404]).toContain(status);
  expect(await useKey(system.http, key)).toBe(200);
});
