import { atFullLength, scaled } from '@mneme/local-stack/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { createKey, keyOf, newPerson, type Person, useKey } from '../system/person.ts';
import { type AddedGateway, type System, startSystem } from '../system/start-system.ts';

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
  const seen: number[] = [];
  const look = async () => {
    const { request_count } = await keyOf(ana, id);
    seen.push(request_count);
    return request_count === count;
  };
  await eventually(`${count} requests are listed`, look, followsWithinMs).catch(() => undefined);
  expect(seen.at(-1)).toBe(count);
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
}

const usageOf = (id: number, query = '') =>
  ana.http.get(`/api/v3/api-keys/${id}/usage?project_id=${ana.projectId}${query}`);

/** The requests of a key that were accepted, and those that were refused. */
async function sumOf(id: number, query = ''): Promise<readonly [number, number]> {
  const points: { requests: number; refused: number }[] = (await usageOf(id, query)).body.points;
  return [
    points.reduce((sum, { requests }) => sum + requests, 0),
    points.reduce((sum, { refused }) => sum + refused, 0),
  ];
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

  test.runIf(atFullLength)(
    'counts, limits and usage over time outlive a kill -9 of both gateways and of keys',
    async () => {
      const [timed, last] = [await createKey(ana, { rate_limit: 5 }), await createKey(ana)];
      for (let count = 0; count < 8; count++) await useKey(gateways[count % 2] as HttpClient, timed.key);
      await eventually('both gateways have told', async () => (await sumOf(timed.id))[1] === 3, 15_000);
      for (let count = 0; count < 20; count++) expect(await useKey(second.http, last.key)).toBe(200);
      const services = [system.service('gateway'), second.process, system.service('keys')];
      await Promise.all(services.map((service) => service.kill()));
      await Promise.all(services.map((service) => service.start()));
      await expectCount(id, passed);
      for (const http of gateways) expect(await useKey(http, key)).toBe(429);
      await expectCount(id, passed);
      await expectCount(last.id, 20);
      expect(await sumOf(timed.id)).toEqual([5, 3]);
      expect(await sumOf(timed.id, '&bucket=day')).toEqual([5, 3]);
    },
  );
});

describe('usage over time', () => {
  test('begins where it is asked to, within bounds', async () => {
    const { id } = await createKey(ana);
    const points = async (query: string) => (await usageOf(id, query)).body.points.length;
    expect(await points('')).toBe(25);
    const { body } = await usageOf(id, '&bucket=day');
    expect(body).toMatchObject({ id, bucket: 'day', since: body.points[0].start });
    expect(body.points).toHaveLength(31);
    expect(body.points.at(-1).start).toMatch(/T00:00:00\.000Z$/);
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
