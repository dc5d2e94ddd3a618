import type { DeadLettersReply, ReadModelsReply, ServicesReply, StreamsReply, TaskReply } from '@mneme/contracts';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { createKey, newPerson, type Person } from '../system/person.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { inSeconds, signToken, tokenOf } from '../system/tokens.ts';

let system: System;
let operator: HttpClient;
let person: Person;
beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  operator = system.http.as(tokenOf(1));
  person = await newPerson(system.http);
});
afterAll(() => system?.stop());

const base = '/api/v3/system';
const soon = { timeout: 30_000 };
const readPaths = ['services', 'streams', 'read-models', 'tasks', 'dead-letters'];
const actions = ['read-models/access/rebuild', 'read-models/access/rollback', 'read-models/access/verify'];
const settled = ['services/keys/rebuild', 'dead-letters/1/retry', 'dead-letters/1/discard'];

const readModels = async () => (await operator.get<ReadModelsReply>(`${base}/read-models`)).body.read_models;
const readModel = async (name: string) => (await readModels()).find((each) => each.name === name);

/** Reads a task until it has ended. */
async function ended(path: string | null): Promise<TaskReply> {
  const read = async () => (await operator.get<TaskReply>(path ?? '')).body;
  await expect.poll(async () => (await read()).state, soon).not.toBe('running');
  return read();
}

test('users without the role are told how to get it, keys and unauthenticated callers are refused', async () => {
  const { key } = await createKey(person, { scopes: ['*'] });
  const tries = [...readPaths.map((path) => ['GET', path]), ...[...actions, ...settled].map((path) => ['POST', path])];
  for (const [method = '', path] of tries) {
    const send = (credential?: string) =>
      system.http.send(`${base}/${path}`, {
        method,
        ...(credential && { headers: { authorization: `Bearer ${credential}` } }),
      });
    const user = await send(tokenOf(person.userId));
    const message = `make user ${person.userId} one, add the id to the setting OPERATORS`;
    expect(user).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', message: expect.stringContaining(message) } });
    expect((await send(key)).status).toBe(403);
    expect((await send()).status).toBe(401);
  }
});

test('the role in a token makes an operator, another role does not', async () => {
  const status = async (claims: object) => {
    const token = signToken({ sub: String(person.userId), exp: inSeconds(600), ...claims });
    return (await system.http.as(token).get(`${base}/streams`)).status;
  };
  expect(await status({ roles: ['reader', 'operator'] })).toBe(200);
  expect(await status({ role: 'reader operator' })).toBe(200);
  expect(await status({ roles: ['operators', 7, null], role: 'no-operator' })).toBe(403);
  expect(await status({ roles: { operator: true } })).toBe(403);
});

test('shows services with their instances, and streams with their sizes', async () => {
  const { body } = await operator.get<ServicesReply>(`${base}/services`);
  expect(body.services.map(({ name, state, instances }) => [name, state, instances.length])).toEqual(
    ['gateway', 'memory-ingest', 'memory-query', 'keys', 'webhook'].map((name) => [name, 'ready', 1]),
  );
  expect(body.services.find(({ name }) => name === 'keys')?.instances[0]).toMatchObject({
    version: expect.stringMatching(/^\d+\./),
    started_at: expect.stringMatching(/Z$/),
    requests: expect.any(Number),
  });
  const { streams } = (await operator.get<StreamsReply>(`${base}/streams`)).body;
  const access = streams.find(({ name }) => name === 'ACCESS');
  expect(access).toMatchObject({ kind: 'events', first_sequence: 1, replicas: 1, max_bytes: null });
  expect(access?.messages).toBeGreaterThan(2);
  expect(access?.bytes).toBeGreaterThan(100);
  expect(Date.parse(access?.last_at ?? '')).toBeLessThanOrEqual(Date.now());
  expect(streams.find(({ name }) => name === 'PARKED')).toMatchObject({ kind: 'dead-letters', first_at: null });
  expect(streams.find(({ name }) => name === 'KV_api-keys')).toMatchObject({
    kind: 'bucket',
    consumers: expect.any(Number),
  });
});

test('shows read models, rebuilds one in the background, and rolls it back', async () => {
  expect((await readModels()).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['access', 'api-keys-bucket', 'webhook', 'memory']),
  );
  expect(await readModel('access')).toMatchObject({
    service: 'keys',
    reason: null,
    versions: [{ version: 1, state: 'live', dead_letters: 0, lanes: expect.any(Array), deferred: [] }],
  });
  const begun = await operator.post<TaskReply>(`${base}/read-models/access/rebuild`, undefined);
  expect([begun.status, begun.body]).toMatchObject([
    202,
    {
      kind: 'rebuild',
      target: 'access',
      target_kind: 'read-model',
      state: 'running',
      started_by: 1,
      finished_at: null,
    },
  ]);
  const location = begun.headers.get('location');
  expect(location).toBe(`${base}/tasks/${begun.body.id}`);
  // Another request meanwhile is led to the same task.
  const again = await operator.post<TaskReply>(`${base}/read-models/access/rebuild`, undefined);
  expect(again.body.id).toBe(begun.body.id);
  const task = await ended(location);
  expect(task).toMatchObject({ state: 'completed', result: { version: 2 }, error: null, progress: [] });
  expect((await readModel('access'))?.versions[0]).toMatchObject({ version: 2, state: 'live' });

  const back = await operator.post(`${base}/read-models/access/rollback`, undefined);
  expect([back.status, back.body]).toEqual([200, { name: 'access', version: 1 }]);
  expect((await readModel('access'))?.versions[0]).toMatchObject({ version: 1 });
  const bucket = await operator.post(`${base}/read-models/api-keys-bucket/rollback`, undefined);
  expect(bucket).toMatchObject({ status: 409, body: { message: expect.stringContaining('made anew in place') } });
});

test('verifies a read model, rebuilds a service, and keeps the last result of each', async () => {
  const verified = await operator.post<TaskReply>(`${base}/read-models/memory/verify`, undefined);
  expect(await ended(verified.headers.get('location'))).toMatchObject({
    state: 'completed',
    result: { checked: expect.any(Number), repaired: {} },
  });
  const failed = await operator.post<TaskReply>(`${base}/read-models/api-keys-bucket/verify`, undefined);
  expect(await ended(failed.headers.get('location'))).toMatchObject({
    state: 'failed',
    result: null,
    error: expect.stringContaining('one store only'),
  });
  const before = (await readModel('webhook'))?.versions[0]?.version ?? 0;
  const rebuilt = await operator.post<TaskReply>(`${base}/services/webhook/rebuild`, undefined);
  expect(rebuilt.status).toBe(202);
  expect(await ended(rebuilt.headers.get('location'))).toMatchObject({
    target_kind: 'service',
    state: 'completed',
    result: { readModel: { version: before + 1 } },
  });
  const { tasks } = (await operator.get<{ tasks: TaskReply[] }>(`${base}/tasks`)).body;
  expect(tasks.slice(0, 3).map(({ id }) => id)).toEqual([rebuilt.body.id, failed.body.id, verified.body.id]);
});

test('what does not exist is 404, and a service that cannot be rebuilt 422', async () => {
  for (const action of ['rebuild', 'rollback', 'verify']) {
    const { status, body } = await operator.post(`${base}/read-models/nothing/${action}`, undefined);
    expect([status, body.message]).toEqual([
      404,
      expect.stringMatching(/No service has a read model nothing\..*access/),
    ]);
  }
  expect((await operator.post(`${base}/read-models/a%20b/verify`, undefined)).status).toBe(422);
  expect((await operator.post(`${base}/services/gateway/rebuild`, undefined)).status).toBe(422);
  expect((await operator.get(`${base}/tasks/3b241101-e2bb-5255-8caf-4136c566a962`)).status).toBe(404);
  for (const action of ['retry', 'discard']) {
    expect((await operator.post(`${base}/dead-letters/999/${action}`, undefined)).status).toBe(404);
    expect((await operator.post(`${base}/dead-letters/0/${action}`, undefined)).status).toBe(422);
  }
  for (const query of ['limit=0', 'limit=501', 'cursor=x']) {
    expect((await operator.get(`${base}/dead-letters?${query}`)).status).toBe(422);
  }
});

test('dead letters are listed in pages, retried and discarded', async () => {
  const connection = await connect({ servers: system.stack.natsUrl });
  await connection.request('access.key.77', 'no event at all');
  await connection.close();
  const list = async (query = '') => (await operator.get<DeadLettersReply>(`${base}/dead-letters${query}`)).body;
  await expect.poll(async () => (await list()).total, soon).toBeGreaterThanOrEqual(3);
  await expect.poll(async () => (await readModel('api-keys-bucket'))?.versions[0]?.dead_letters, soon).toBe(1);
  const { dead_letters: all, total } = await list();
  expect(all).toHaveLength(total);
  const ofBucket = all.find(({ reader }) => reader === 'api-keys-bucket@1');
  expect(ofBucket).toMatchObject({
    read_model: 'api-keys-bucket',
    aggregate: 'access.key.77',
    subject: 'access.key.77',
    type: null,
    position: expect.stringMatching(/^ACCESS:\d+$/),
    reason: 'it has no headers',
  });
  expect((await readModel('api-keys-bucket'))?.versions[0]?.deferred).toMatchObject([{ aggregate: 'access.key.77' }]);

  const paged: number[] = [];
  for (let cursor: string | null = '1'; cursor !== null; ) {
    const page: DeadLettersReply = await list(`?limit=1&cursor=${cursor}`);
    paged.push(...page.dead_letters.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  expect(paged).toEqual(all.map(({ id }) => id));

  const retried = await operator.post(`${base}/dead-letters/${ofBucket?.id}/retry`, undefined);
  expect(retried).toMatchObject({ status: 409, body: { message: expect.stringContaining('cannot be read') } });
  for (const { id } of all) {
    expect((await operator.post(`${base}/dead-letters/${id}/discard`, undefined)).status).toBe(200);
  }
  expect(await list()).toEqual({ dead_letters: [], total: 0, next_cursor: null });
  expect((await readModel('api-keys-bucket'))?.versions[0]).toMatchObject({ dead_letters: 0, deferred: [] });
});
