import { scaled } from '@mneme/local-stack';
import { MongoClient } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { type AddedGateway, type System, startSystem } from '../system/start-system.ts';
import { createKey, keyOf, newPerson, type Person, useKey } from './person.ts';

/** Of keys; the memory has another one, which stays. */
const database = 'mneme_access';
/** How long the count in the list may be behind. */
const followsWithinMs = 5_000;

let system: System;
let second: AddedGateway;
let gateways: readonly HttpClient[];
let ana: Person;
beforeAll(async () => {
  system = await startSystem({ processes: 'each', services: ['keys', 'memory-query', 'gateway'] });
  second = await system.addGateway();
  gateways = [system.http, second.http];
  ana = await newPerson(system.http);
  return system.stop;
});

/** Waits until so many requests are listed, seeing at each look that the count has not gone back. */
async function expectCount(id: number, count: number): Promise<void> {
  let highest = 0;
  const look = async () => {
    const { request_count } = await keyOf(ana, id);
    expect(request_count).toBeGreaterThanOrEqual(highest);
    expect(request_count).toBeLessThanOrEqual(count);
    highest = request_count;
    return request_count === count;
  };
  await eventually(`${count} requests are listed`, look, followsWithinMs).catch(() => expect(highest).toBe(count));
}

describe('twice as many parallel requests over two gateways as the limit is', () => {
  const rate_limit = scaled({ full: 1_000, short: 400 });
  let id: number;
  let key: string;
  let passed: number;

  test('no more than the limit pass, and no less than 99 % of it; the others are told when to come again', async () => {
    ({ id, key } = await createKey(ana, { rate_limit }));
    const begin = Date.now();
    const answers = await Promise.all(
      Array.from({ length: 2 * rate_limit }, (_, index) => gateways[index % 2]?.as(key).get('/api/agents')),
    );
    // Within one window, so that none has left it meanwhile.
    expect(Date.now() - begin).toBeLessThan(60_000);
    passed = answers.filter((answer) => answer?.status === 200).length;
    expect(passed).toBeLessThanOrEqual(rate_limit);
    expect(passed).toBeGreaterThanOrEqual(0.99 * rate_limit);
    const refused = answers.filter((answer) => answer?.status !== 200);
    for (const answer of refused) expect(answer).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    const { headers } = refused.at(-1) ?? {};
    expect(Number(headers?.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers?.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(headers?.get('ratelimit-policy')).toMatch(new RegExp(`^"[\\w-]+";q=${rate_limit};w=60$`));
    expect(headers?.get('ratelimit')).toMatch(/^"[\w-]+";r=0;t=\d+$/);
  });

  test('those that passed are counted within 5 s, those that were refused are not', async () => {
    await expectCount(id, passed);
    const { last_used_at } = await keyOf(ana, id);
    expect(Date.now() - Date.parse(last_used_at ?? '')).toBeLessThan(60_000);
  });

  test('the count and the limit outlive a kill -9 of both gateways and of keys', async () => {
    const services = [system.service('gateway'), second.process, system.service('keys')];
    await Promise.all(services.map((service) => service.kill()));
    await Promise.all(services.map((service) => service.start()));
    await expectCount(id, passed);
    for (const http of gateways) expect(await useKey(http, key)).toBe(429);
    await expectCount(id, passed);
  });

  test('the count is there again after the read model was dropped', async () => {
    const keys = system.service('keys');
    const before = await keyOf(ana, id);
    await keys.kill();
    await dropDatabase();
    await keys.start();
    await eventually('the record is listed again', async () => (await keyOf(ana, id)).id === id);
    expect(await keyOf(ana, id)).toEqual(before);
  });
});

describe('regenerating a key', () => {
  const regenerate = async (id: number): Promise<string> =>
    (await ana.http.post(`/api/v3/api-keys/${id}/regenerate`, { project_id: ana.projectId })).body.key;

  test('lets its count begin at 0', async () => {
    const { id, key } = await createKey(ana);
    for (const http of gateways) expect(await useKey(http, key)).toBe(200);
    const fresh = await regenerate(id);
    expect(await keyOf(ana, id)).toMatchObject({ request_count: 0, last_used_at: null });
    expect(await useKey(system.http, fresh)).toBe(200);
    await expectCount(id, 1);
  });

  test('does not empty the window of its limit, at any gateway', async () => {
    const { id, key } = await createKey(ana, { rate_limit: 4 });
    const begin = Date.now();
    for (const http of [...gateways, system.http]) expect(await useKey(http, key)).toBe(200);
    const fresh = await regenerate(id);
    const answers = [];
    for (const http of [...gateways, ...gateways]) answers.push(await useKey(http, fresh));
    // Within one window, so that none has left it meanwhile.
    expect(Date.now() - begin).toBeLessThan(60_000);
    expect(answers).toEqual([200, 429, 429, 429]);
  });
});

async function dropDatabase(): Promise<void> {
  const mongo = await new MongoClient(system.stack.mongodbUrl).connect();
  const dropped = mongo.db(database);
  expect((await dropped.collections()).length).toBeGreaterThan(0);
  await dropped.dropDatabase();
  await mongo.close();
}

test('requests just before a kill -9 of their gateway are counted', async () => {
  const { id, key } = await createKey(ana);
  for (let count = 0; count < 20; count++) expect(await useKey(second.http, key)).toBe(200);
  await second.process.kill();
  await expectCount(id, 20);
  await second.process.start();
  expect(await useKey(second.http, key)).toBe(200);
  await expectCount(id, 21);
});

test('requests that another check refuses count, as they were made', async () => {
  const { id, key } = await createKey(ana, { rate_limit: 3 });
  const http = system.http.as(key);
  const answers = [
    await http.get('/api/list?limit=0'),
    await http.get('/api/documents/x?agent_id=a'),
    await http.get('/api/agents'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([422, 404, 200]);
  expect(await useKey(system.http, key)).toBe(429);
  await expectCount(id, 3);
});

test('every answer to a key says what is left, and one to a user does not', async () => {
  const { key } = await createKey(ana, { rate_limit: 5 });
  for (const left of [4, 3, 2]) {
    const { headers } = (await gateways[left % 2]?.as(key).get('/api/agents')) ?? {};
    expect(headers?.get('ratelimit-policy')).toMatch(/;q=5;w=60$/);
    expect(headers?.get('ratelimit')).toMatch(new RegExp(`;r=${left};`));
  }
  expect((await ana.http.get('/api/agents')).headers.get('ratelimit')).toBeNull();
});

test('keys do not count for each other', async () => {
  const [full, free] = [await createKey(ana, { rate_limit: 1 }), await createKey(ana, { rate_limit: 1 })];
  expect(await useKey(system.http, full.key)).toBe(200);
  expect(await useKey(second.http, full.key)).toBe(429);
  expect(await useKey(second.http, free.key)).toBe(200);
});

describe('usage over time', () => {
  const usageOf = (id: number, query = '', by = ana) =>
    by.http.get(`/api/v3/api-keys/${id}/usage?project_id=${ana.projectId}${query}`);

  test('counts accepted and refused requests of all gateways by the hour and by the day, also over a restart', async () => {
    const { id, key } = await createKey(ana, { rate_limit: 5 });
    for (let count = 0; count < 8; count++) await useKey(gateways[count % 2] as HttpClient, key);
    const sum = (points: { requests: number; refused: number }[]) =>
      points.reduce<[number, number]>(([all, over], { requests, refused }) => [all + requests, over + refused], [0, 0]);
    const counted = async (query = '') => sum((await usageOf(id, query)).body.points);
    await eventually('both gateways have told', async () => (await counted())[1] === 3, 15_000);
    await system.service('gateway').kill();
    await system.service('keys').kill();
    await Promise.all([system.service('gateway').start(), system.service('keys').start()]);
    expect(await counted()).toEqual([5, 3]);
    expect(await counted('&bucket=day')).toEqual([5, 3]);
    const { body } = await usageOf(id, '&bucket=day');
    expect(body).toMatchObject({ id, bucket: 'day', since: body.points[0].start });
    expect(body.points).toHaveLength(31);
    expect(body.points.at(-1).start).toMatch(/T00:00:00\.000Z$/);
    expect((await usageOf(id)).body.points).toHaveLength(25);
  });

  test('begins where it is asked to, within bounds', async () => {
    const { id } = await createKey(ana);
    const points = async (query: string) => (await usageOf(id, query)).body.points.length;
    expect(await points('&since=2001-01-01')).toBe(31 * 24 + 1);
    expect(await points('&since=2001-01-01&bucket=day')).toBe(91);
    expect(await points(`&since=${new Date().toISOString()}`)).toBe(1);
    expect(await points('&since=2999-01-01')).toBe(0);
  });

  test('is refused for other spaces, unknown keys and values', async () => {
    const { id } = await createKey(ana);
    const ben = await newPerson(system.http);
    const elsewhere = await ana.http.get(`/api/v3/api-keys/${id}/usage?project_id=${ben.projectId}`);
    expect(elsewhere).toMatchObject({ status: 404, body: { message: 'API key not found' } });
    expect((await usageOf(999_999)).status).toBe(404);
    expect((await ana.http.get(`/api/v3/api-keys/${id}/usage`)).status).toBe(400);
    for (const query of ['&bucket=week', '&since=yesterday', '&bucket=hour&bucket=day']) {
      expect((await usageOf(id, query)).status).toBe(422);
    }
  });
});
