import { keys, WireError } from '@mneme/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import { jwtSecret } from '../testing/tokens.ts';

const created_at = '2026-01-01T00:00:00.000Z';
const space = { id: 5, name: 'Research', type: 'team' as const, owner_id: 7, created_at };
const project = { id: 8, name: 'Assistant', space_id: 5, created_at };

const fixture = useGateway({ JWT_SECRET: jwtSecret });
const { asUser, asked } = fixture;
beforeEach(() => {
  fixture.services.answer(keys.createSpace, () => ({ value: space, position: 'ACCESS:4' }));
  fixture.services.answer(keys.createProject, () => ({ value: project, position: 'ACCESS:5' }));
});

it('/me says who one is, and that something was made for it', async () => {
  const me = { user_id: 7, spaces: [{ id: 5, name: 'Personal', type: 'personal' as const, projects: [] }] };
  fixture.services.answer(keys.me, () => ({ value: me, position: 'ACCESS:3' }));
  const { status, headers, body } = await asUser('GET', '/api/v3/me');
  expect([status, headers['x-event-position'], body]).toEqual([200, 'ACCESS:3', me]);
  expect(asked(keys.me)).toEqual([{ userId: 7 }]);
});

it('spaces and projects are listed for their owner, as of a position', async () => {
  fixture.services.answer(keys.listSpaces, () => [space]);
  fixture.services.answer(keys.listProjects, () => [project]);
  await fixture.fillLog('ACCESS', 42);
  const headers = { 'x-min-event-position': 'ACCESS:42' };
  expect((await asUser('GET', '/api/v3/spaces', { headers })).body).toEqual([space]);
  expect((await asUser('GET', '/api/v3/projects', { headers })).body).toEqual([project]);
  const request = { userId: 7, minSequence: 42 };
  expect([...asked(keys.listSpaces), ...asked(keys.listProjects)]).toEqual([request, request]);
});

describe('creating', () => {
  it('is 201, and says where it stands in the log', async () => {
    const made = await asUser('POST', '/api/v3/spaces', { body: { name: ' Research ', type: 'team', owner_id: 1 } });
    expect([made.status, made.headers['x-event-position'], made.body]).toEqual([201, 'ACCESS:4', space]);
    expect(asked(keys.createSpace)).toEqual([
      { userId: 7, name: 'Research', type: 'team', commandId: expect.stringMatching(/^[\da-f-]{36}$/) },
    ]);
    const begun = await asUser('POST', '/api/v3/projects', { body: { name: 'Assistant', space_id: 5, id: 1 } });
    expect([begun.status, begun.headers['x-event-position'], begun.body]).toEqual([201, 'ACCESS:5', project]);
    expect(asked(keys.createProject)).toMatchObject([{ userId: 7, name: 'Assistant', spaceId: 5 }]);
  });

  it.each([
    ['/api/v3/spaces', {}],
    ['/api/v3/spaces', { name: 'x' }],
    ['/api/v3/spaces', { name: 'x', type: 'other' }],
    ['/api/v3/spaces', { name: ' ', type: 'team' }],
    ['/api/v3/spaces', { name: 'x\u0000', type: 'team' }],
    ['/api/v3/spaces', { name: 'x'.repeat(256), type: 'team' }],
    ['/api/v3/spaces', { name: { $gt: 0 }, type: 'team' }],
    ['/api/v3/spaces', { name: 'x', type: { $gt: 0 } }],
    ['/api/v3/projects', { name: 'x' }],
    ['/api/v3/projects', { space_id: 5 }],
    ['/api/v3/projects', { name: 'x', space_id: -1 }],
    ['/api/v3/projects', { name: 'x', space_id: '5' }],
    ['/api/v3/projects', { name: 'x', space_id: 0 }],
    ['/api/v3/projects', { name: 'x', space_id: 1.5 }],
    ['/api/v3/projects', { name: 'x', space_id: 1e15 }],
    ['/api/v3/projects', { name: 'x', space_id: { $gt: 0 } }],
  ])('%s with %j is 422', async (path, body) => {
    const { status, body: sent } = await asUser('POST', path, { body });
    expect(status).toBe(422);
    expect(sent.detail[0].loc[0]).toBe('body');
    expect([...asked(keys.createSpace), ...asked(keys.createProject)]).toEqual([]);
  });

  it('in the space of another user is refused by the keys service', async () => {
    fixture.services.answer(keys.createProject, () => {
      throw new WireError({ status: 404, code: 'NOT_FOUND', message: 'Space not found' });
    });
    const { status, body } = await asUser('POST', '/api/v3/projects', { body: { name: 'x', space_id: 6 } });
    expect([status, body.message]).toEqual([404, 'Space not found']);
  });
});
