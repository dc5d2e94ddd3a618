import { randomUUID } from 'node:crypto';
import { accessSubjects, keys } from '@mneme/contracts';
import { beforeAll, expect, it } from 'vitest';
import { useKeysFixture } from '../testing/keys-fixture.ts';

const fixture = useKeysFixture();
beforeAll(() => Promise.all([fixture.start(), fixture.start()]));

const me = (userId: number) => fixture.call(keys.me, { userId });
const createSpace = (userId: number, name: string, commandId: string = randomUUID()) =>
  fixture.call(keys.createSpace, { userId, name, type: 'team', commandId });
const createProject = (userId: number, spaceId: number, commandId: string = randomUUID()) =>
  fixture.call(keys.createProject, { userId, name: 'Assistant', spaceId, commandId });

const defaultProject = { id: expect.any(Number), name: 'Default' };
const personalSpace = { id: expect.any(Number), name: 'Personal', type: 'personal', projects: [defaultProject] };

it('the first request of a user creates a personal space with a project, and the gateway knows it', async () => {
  const first = await me(1_001);
  expect(first.value).toEqual({ user_id: 1_001, spaces: [personalSpace] });
  expect(first.position).toMatch(/^ACCESS:\d+$/);
  const id = first.value.spaces[0]?.id;
  expect(await fixture.spaceOwner(1_001)).toMatchObject({ personalSpaceId: id, spaceIds: [id] });
  expect(await me(1_001)).toEqual({ value: first.value, position: null });
  const { value: owner } = await fixture.call(keys.ensureUser, { userId: 1_001 });
  expect(owner).toEqual(await fixture.spaceOwner(1_001));
});

it('ten first requests at once, at two instances, make one personal space', async () => {
  const seen = await Promise.all(Array.from({ length: 10 }, () => me(1_002)));
  expect(new Set(seen.map(({ value }) => JSON.stringify(value))).size).toBe(1);
  expect(seen[0]?.value.spaces).toEqual([personalSpace]);
  expect((await fixture.store.load(accessSubjects.user(1_002))).events).toHaveLength(1);
  expect((await fixture.spaceOwner(1_002))?.spaceIds).toHaveLength(1);
});

it('a first request that was interrupted is completed by the next one', async () => {
  const joined = { userId: 1_003, spaceId: 700_001, projectId: 700_002 };
  const context = { correlationId: 'test' };
  await fixture.store.append(accessSubjects.user(1_003), [{ type: 'UserJoined', data: joined }], 0, context);
  const space = { ...personalSpace, id: 700_001, projects: [{ id: 700_002, name: 'Default' }] };
  expect((await me(1_003)).value.spaces).toEqual([space]);
});

it('lists show what is mine, and every user has a space and a project from the first request on', async () => {
  const [space] = await fixture.call(keys.listSpaces, { userId: 1_004 });
  const created_at = expect.stringMatching(/Z$/);
  expect(space).toEqual({ id: expect.any(Number), name: 'Personal', type: 'personal', owner_id: 1_004, created_at });
  const { value: team, position } = await createSpace(1_004, 'Research');
  expect(team).toEqual({ id: expect.any(Number), name: 'Research', type: 'team', owner_id: 1_004, created_at });
  expect(position).toMatch(/^ACCESS:\d+$/);
  const { value: project } = await createProject(1_004, team.id);
  expect(project).toEqual({ id: expect.any(Number), name: 'Assistant', space_id: team.id, created_at });
  expect(await fixture.call(keys.listSpaces, { userId: 1_004 })).toEqual([space, team]);
  const projects = await fixture.call(keys.listProjects, { userId: 1_004 });
  expect(projects).toEqual(
    [{ ...project, id: expect.any(Number), name: 'Default', space_id: space?.id }, project].map((each) => ({
      ...each,
      created_at,
    })),
  );
  const owner = { personalSpaceId: space?.id, spaceIds: [space?.id, team.id] };
  expect(await fixture.spaceOwner(1_004)).toMatchObject(owner);
});

it('the first space of a user is the personal one, even when the first request creates another', async () => {
  const { value: team } = await createSpace(1_005, 'Research');
  const owner = await fixture.spaceOwner(1_005);
  expect(owner?.spaceIds).toHaveLength(2);
  expect(owner?.personalSpaceId).not.toBe(team.id);
});

it('a repeated command, also a concurrent one, finds what it has made', async () => {
  const commandId = randomUUID();
  const spaces = await Promise.all(Array.from({ length: 5 }, () => createSpace(1_006, 'Research', commandId)));
  expect(new Set(spaces.map(({ value }) => JSON.stringify(value))).size).toBe(1);
  const spaceId = spaces[0]?.value.id ?? 0;
  const projects = await Promise.all(Array.from({ length: 5 }, () => createProject(1_006, spaceId, commandId)));
  expect(new Set(projects.map(({ value }) => JSON.stringify(value))).size).toBe(1);
  const { value } = await me(1_006);
  expect(value.spaces.map(({ name, projects }) => [name, projects.length])).toEqual([
    ['Personal', 1],
    ['Research', 1],
  ]);
});

it("a project in another user's space is refused", async () => {
  const { spaceId } = await fixture.newUser();
  const refused = { status: 404, code: 'NOT_FOUND', message: 'Space not found' };
  await expect(createProject(1_007, spaceId)).rejects.toMatchObject(refused);
  await expect(createProject(1_007, 999_999)).rejects.toMatchObject(refused);
});

it('a read waits for the sequence that the request names', async () => {
  const head = await fixture.store.head();
  await expect(fixture.call(keys.me, { userId: 1_001, minSequence: head })).resolves.toBeDefined();
});
