import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventLog } from '../system/event-log.ts';
import type { Answer } from '../system/http-client.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { createKey, keysOf, newPerson, type Person, refusal, useKey } from './person.ts';

const path = '/api/v3/api-keys';
const unknownProject = 987_654_321;

let system: SharedSystem;
let log: EventLog;
let ana: Person;
let ben: Person;
/** Ana's, and the one that bad ids might be taken for: the first of all. */
let first: { id: number; key: string };
beforeAll(async () => {
  system = await shareSystem();
  log = await system.openLog('ACCESS');
  ana = await newPerson(system.http);
  ben = await newPerson(system.http);
  first = await createKey(ana);
  return system.release;
});

type Send = (id: unknown, project: unknown, by?: Person) => Promise<Answer<unknown>>;

/** The three requests that are for one key, with what they say to somebody else. */
const requestsForOneKey: readonly (readonly [string, string, Send])[] = [
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

describe.each(requestsForOneKey)('%s is refused', (_name, message, send) => {
  test('without project_id, before anything else is looked at', async () => {
    await changesNothing(async () => {
      for (const id of [first.id, 987_654]) {
        expect(await send(id, undefined)).toMatchObject(refusal(400, 'BAD_REQUEST', 'project_id is required'));
      }
    });
  });

  test('when the space of the project has no keys, or there is no such project', async () => {
    const newcomer = await newPerson(system.http);
    for (const project of [newcomer.projectId, unknownProject]) {
      const answer = await send(first.id, project);
      expect(answer).toMatchObject(refusal(404, 'NOT_FOUND', 'api_keys_list table not found'));
    }
  });

  test('when the key is not of that space, before the owner is looked at', async () => {
    const { id } = await createKey(ben);
    const expected = refusal(404, 'NOT_FOUND', 'API key not found');
    await changesNothing(async () => {
      expect(await send(id, ana.projectId, ana)).toMatchObject(expected);
      expect(await send(id, ana.projectId, ben)).toMatchObject(expected);
      expect(await send(987_654, ana.projectId)).toMatchObject(expected);
    });
  });

  test('when the key is somebody else’s', async () => {
    await changesNothing(async () => {
      expect(await send(first.id, ana.projectId, ben)).toMatchObject(refusal(403, 'FORBIDDEN', message));
    });
    const { id } = await createKey(ben, { project_id: ana.projectId });
    expect(await send(id, ana.projectId, ana)).toMatchObject(refusal(403, 'FORBIDDEN', message));
  });

  test('when the space had keys and has none left, it is the key that is missing', async () => {
    const owner = await newPerson(system.http);
    const { id } = await createKey(owner);
    await owner.http.delete(`${path}/${id}?project_id=${owner.projectId}`);
    expect(await send(id, owner.projectId, owner)).toMatchObject(refusal(404, 'NOT_FOUND', 'API key not found'));
  });

  test('for an id, and for a project, of the wrong shape, and no record is changed', async () => {
    await changesNothing(async () => {
      expect((await send('1e3', ana.projectId)).status).toBe(422);
      expect((await send(first.id, '0x10')).status).toBe(422);
    });
  });
});

test('without credentials every request is 401, and nothing is done', async () => {
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

  test('for fields of the wrong shape: 422 that says where', async () => {
    await changesNothing(async () => {
      const { status, body } = await create({ name: 'A key', project_id: ana.projectId, scopes: '*' });
      expect(status).toBe(422);
      expect(body).toEqual({
        detail: [{ loc: ['body', 'scopes'], msg: expect.any(String), type: expect.any(String) }],
      });
    });
  });
});

test('a change of the wrong shape is 422, and nothing of it is done', async () => {
  await changesNothing(async () => {
    const body = { project_id: ana.projectId, rate_limit: 5, name: '' };
    expect((await ana.http.patch(`${path}/${first.id}`, body)).status).toBe(422);
  });
});
