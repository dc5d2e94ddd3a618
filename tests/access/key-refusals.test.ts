import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EventLog, openEventLog } from '../system/event-log.ts';
import type { Answer } from '../system/http-client.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { createKey, keysOf, newPerson, type Person, refusal, useKey } from './person.ts';

const path = '/api/v3/api-keys';
const unknownProject = 987_654_321;

let system: System;
let log: EventLog;
let ana: Person;
let ben: Person;
/** Ana's, and the one that bad ids might be taken for: the first of all. */
let first: { id: number; key: string };
beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  log = await openEventLog(system.stack.natsUrl, 'ACCESS');
  ana = await newPerson(system.http);
  ben = await newPerson(system.http);
  first = await createKey(ana);
  return async () => {
    await log.close();
    await system.stop();
  };
});

type Call = (id: unknown, project: unknown, by?: Person) => Promise<Answer<unknown>>;

/** The three calls that are for one key, with what they say to somebody else. */
const callsOfOneKey: readonly (readonly [string, string, Call])[] = [
  [
    'updating',
    'You can only edit your own API keys',
    (id, project_id, by = ana) => by.http.patch(`${path}/${id}`, { project_id, name: 'Taken over' }),
  ],
  [
    'deleting',
    'You can only delete your own API keys',
    (id, project, by = ana) => {
      return by.http.delete(`${path}/${id}${project === undefined ? '' : `?project_id=${project}`}`);
    },
  ],
  [
    'regenerating',
    'You can only regenerate your own API keys',
    (id, project_id, by = ana) => by.http.post(`${path}/${id}/regenerate`, { project_id }),
  ],
];

/** Nothing is recorded and every record is as before. */
async function changesNothing(act: () => Promise<void>): Promise<void> {
  const [head, keys] = [await log.head(), await keysOf(ana)];
  await act();
  expect([await log.head(), await keysOf(ana)]).toEqual([head, keys]);
}

afterAll(async () => {
  expect(await useKey(system.http, first.key)).toBe(200);
});

describe.each(callsOfOneKey)('%s is refused', (_name, message, call) => {
  test('without project_id, before anything else is looked at', async () => {
    await changesNothing(async () => {
      for (const id of [first.id, 987_654]) {
        expect(await call(id, undefined)).toMatchObject(refusal(400, 'BAD_REQUEST', 'project_id is required'));
      }
    });
  });

  test('when the space of the project has no keys, or there is no such project', async () => {
    const newcomer = await newPerson(system.http);
    for (const project of [newcomer.projectId, unknownProject]) {
      const answer = await call(first.id, project);
      expect(answer).toMatchObject(refusal(404, 'NOT_FOUND', 'api_keys_list table not found'));
    }
  });

  test('when the key is not of that space, before the owner is looked at', async () => {
    const { id } = await createKey(ben);
    const expected = refusal(404, 'NOT_FOUND', 'API key not found');
    await changesNothing(async () => {
      expect(await call(id, ana.projectId, ana)).toMatchObject(expected);
      expect(await call(id, ana.projectId, ben)).toMatchObject(expected);
      expect(await call(987_654, ana.projectId)).toMatchObject(expected);
    });
  });

  test('when the key is somebody else’s', async () => {
    await changesNothing(async () => {
      expect(await call(first.id, ana.projectId, ben)).toMatchObject(refusal(403, 'FORBIDDEN', message));
    });
    const { id } = await createKey(ben, { project_id: ana.projectId });
    expect(await call(id, ana.projectId, ana)).toMatchObject(refusal(403, 'FORBIDDEN', message));
  });

  test('when the space had keys and has none left, it is the key that is missing', async () => {
    const owner = await newPerson(system.http);
    const { id } = await createKey(owner);
    await owner.http.delete(`${path}/${id}?project_id=${owner.projectId}`);
    expect(await call(id, owner.projectId, owner)).toMatchObject(refusal(404, 'NOT_FOUND', 'API key not found'));
  });

  test.each(badIds())('for the id %s: 404 or 422, and no record is changed', async (id) => {
    await changesNothing(async () => {
      const answer = await call(id, ana.projectId);
      expect([404, 422]).toContain(answer.status);
    });
  });

  test.each(badIds())('for the project %s: 422, and no record is changed', async (project) => {
    // In a body a number stands as itself; as text it is of the wrong type.
    await changesNothing(async () => expect((await call(first.id, project)).status).toBe(422));
  });
});

function badIds(): string[] {
  const digits = ['1e3', '0x10', '1.0', '-1', '99999999999999999999', '0', '01', '%2B1', '%201', '1%20', '1%00'];
  return [...digits, '1_0', '%D9%A1', 'NaN', 'null', 'true', '[1]', '%7B%22$gt%22:0%7D', '1,2', '1%0A', '1;1'];
}

test('without credentials every call is 401, and nothing is done', async () => {
  await changesNothing(async () => {
    const { id } = first;
    const project_id = ana.projectId;
    const answers = await Promise.all([
      system.http.get(`${path}?project_id=${project_id}`),
      system.http.get(path),
      system.http.post(path, { name: 'A key', project_id }),
      system.http.post(path, {}),
      system.http.patch(`${path}/${id}`, { project_id, name: 'x' }),
      system.http.delete(`${path}/${id}?project_id=${project_id}`),
      system.http.post(`${path}/${id}/regenerate`, { project_id }),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });
});

test('listing without project_id is 400', async () => {
  expect(await ana.http.get(path)).toMatchObject(refusal(400, 'BAD_REQUEST', 'project_id is required'));
});

test.each(badIds())('listing the project %s is 422', async (project) => {
  expect((await ana.http.get(`${path}?project_id=${project}`)).status).toBe(422);
});

test.each(['project_id[$gt]=0', 'project_id[]=1', 'project_id.$gt=0', 'project_id=1&project_id=2'])(
  'listing with ?%s is 400 or 422',
  async (query) => {
    expect([400, 422]).toContain((await ana.http.get(`${path}?${query}`)).status);
  },
);

describe('creating is refused', () => {
  const create = (fields: object) => ana.http.post(path, fields);

  test('without project_id, before the name is looked at', async () => {
    const expected = refusal(400, 'BAD_REQUEST', 'project_id is required');
    for (const fields of [{}, { name: 'A key' }, { name: '' }, { name: 5 }, { scopes: 5 }]) {
      await changesNothing(async () => expect(await create(fields)).toMatchObject(expected));
    }
  });

  test.each([{}, { name: '' }, { name: ' \t\n ' }, { scopes: 5 }])('without a name: %j', async (fields) => {
    await changesNothing(async () => {
      const answer = await create({ project_id: ana.projectId, ...fields });
      expect(answer).toMatchObject(refusal(400, 'BAD_REQUEST', 'Name is required'));
    });
  });

  test('in a project that does not exist', async () => {
    const answer = await create({ project_id: unknownProject, name: 'A key' });
    expect(answer).toMatchObject(refusal(404, 'NOT_FOUND', 'Project not found'));
  });

  const gt = { $gt: 0 };
  test.each([
    ...['1', 1.5, 0, -1, 1e20, true, [1], gt].map((value) => ['project_id', value] as const),
    ...[5, ['a'], gt, 'x'.repeat(256), 'a\nb', 'a\u0000b', 'a\u0085b', '\ud800'].map(
      (value) => ['name', value] as const,
    ),
    ...['*', [1], [gt], gt, [null], Array(65).fill(0).map(String)].map((value) => ['scopes', value] as const),
    ...[0, -1, 1_000_001, 1.5, '5', true, gt].map((value) => ['rate_limit', value] as const),
    ...[3_651, 1.5, '5', true, gt, [1], 1e20].map((value) => ['expires_in_days', value] as const),
    ...[gt, [1], true, 1.5, ''].map((value) => ['agent_id', value] as const),
  ])('for %s %.40j: 422 that says where', async (field, value) => {
    await changesNothing(async () => {
      const { status, body } = await create({ name: 'A key', project_id: ana.projectId, [field]: value });
      expect(status).toBe(422);
      expect(body).toEqual({ detail: expect.any(Array) });
      expect(body.detail[0]).toEqual({ loc: expect.any(Array), msg: expect.any(String), type: expect.any(String) });
      expect(body.detail[0].loc.slice(0, 2)).toEqual(['body', field]);
    });
  });
});

test.each([
  ['name', ''],
  ['name', '  '],
  ['name', 'x'.repeat(256)],
  ['name', { $set: 1 }],
  ['scopes', 'memory:read'],
  ['scopes', [{ $gt: '' }]],
  ['is_active', 0],
  ['is_active', 'false'],
  ['is_active', { $ne: true }],
  ['rate_limit', 0],
  ['rate_limit', 1_000_001],
  ['rate_limit', { $gt: 0 }],
  ['project_id', { $gt: 0 }],
  ['project_id', '1'],
])('changing %s to %.20j is 422, and nothing of it is done', async (field, value) => {
  await changesNothing(async () => {
    const body = { project_id: ana.projectId, rate_limit: 5, [field]: value };
    const answer = await ana.http.patch(`${path}/${first.id}`, body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0].loc.slice(0, 2)).toEqual(['body', field]);
  });
});
