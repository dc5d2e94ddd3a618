import { accessRoutes, memoryQuery } from '@mneme/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import type { HttpRequest } from '../testing/http-request.ts';

let gateways: readonly HttpRequest[];

const fixture = useGateway();

beforeAll(async () => {
  gateways = [fixture.http, (await fixture.startAnother({})).http];
});

const list = (key: string, http = fixture.http) => http('GET', '/api/agents', { headers: { 'x-api-key': key } });

describe('a key over two gateways', () => {
  it('gets with each answer how much is left, and when to try again', async () => {
    const key = await fixture.records.issueKey({ rateLimit: 3 });
    for (const [index, left] of [2, 1, 0].entries()) {
      const { status, headers } = await list(key, gateways[index % 2]);
      expect([status, headers['ratelimit-policy']]).toEqual([200, '"key";q=3;w=60']);
      expect(headers.ratelimit).toMatch(new RegExp(`^"key";r=${left};t=(5\\d|6[01])$`));
      expect(headers['retry-after']).toBeUndefined();
    }
    for (const http of gateways) {
      const { status, headers, body } = await list(key, http);
      expect([status, body.code, headers['ratelimit-policy']]).toEqual([429, 'RATE_LIMITED', '"key";q=3;w=60']);
      const seconds = Number(headers['retry-after']);
      expect(headers.ratelimit).toBe(`"key";r=0;t=${seconds}`);
      expect(seconds).toBeGreaterThan(50);
      expect(seconds).toBeLessThanOrEqual(61);
      expect(body.message).toContain('3 requests per 60 s');
    }
    expect(await fixture.records.usageOf(key)).toMatchObject({ requests: 3 });
  });

  it('causes no work past its limit', async () => {
    const key = await fixture.records.issueKey({ rateLimit: 2 });
    for (const _request of [1, 2]) expect((await list(key)).status).toBe(200);
    expect(fixture.services.requestsTo(memoryQuery.listAgents)).toHaveLength(2);
    for (const path of ['/api/agents', '/api/list?limit=0', '/api/stats/x']) {
      expect((await fixture.http('GET', path, { headers: { 'x-api-key': key } })).status).toBe(429);
    }
    expect(fixture.services.requestsTo(memoryQuery.listAgents)).toHaveLength(2);
    expect(fixture.services.requestsTo(memoryQuery.stats)).toEqual([]);
  });

  it('is refused for its limit rather than for what it requests, even if that was noticed first', async () => {
    const other = gateways[1] ?? fixture.http;
    for (const path of ['/api/list?limit=0', '/api/documents', '/api/agents']) {
      const key = await fixture.records.issueKey({ rateLimit: 1 });
      expect((await list(key)).status).toBe(200);
      // This gateway does not know yet that the key was used.
      const { status, body } = await other('GET', path, { headers: { 'x-api-key': key } });
      expect([path, status, body.code]).toEqual([path, 429, 'RATE_LIMITED']);
    }
  });

  it('has a changed limit from the next request on', async () => {
    const key = await fixture.records.issueKey({ rateLimit: 1 });
    const statuses = [(await list(key)).status, (await list(key)).status];
    await fixture.records.changeKey(key, { rateLimit: 2 });
    statuses.push((await list(key, gateways[1])).status, (await list(key)).status);
    expect(statuses).toEqual([200, 429, 200, 429]);
  });
});

describe('what counts', () => {
  it('is every admitted request, even one that is refused for another reason afterwards', async () => {
    const key = await fixture.records.issueKey({ scopes: ['memory:read'], rateLimit: 3 });
    const headers = { 'x-api-key': key };
    const statuses = [
      (await fixture.http('DELETE', '/api/agents/x', { headers })).status,
      (await fixture.http('GET', '/api/list?limit=0', { headers })).status,
      (await fixture.http('GET', '/api/agents', { headers: { ...headers, 'x-space-id': '99' } })).status,
      (await fixture.http('GET', '/api/agents', { headers })).status,
    ];
    expect(statuses).toEqual([403, 422, 403, 429]);
  });

  it('excludes routes that keys may not use, and invalid keys', async () => {
    const key = await fixture.records.issueKey();
    for (const { method, path } of Object.values(accessRoutes)) {
      const { status, headers, body } = await fixture.http(method.toUpperCase(), path.replace('{id}', '1'), {
        headers: { 'x-api-key': key },
      });
      expect([status, body.code, headers.ratelimit]).toEqual([403, 'FORBIDDEN', undefined]);
    }
    await fixture.records.changeKey(key, { state: 'inactive' });
    expect((await list(key)).status).toBe(401);
    expect(await fixture.records.usageOf(key)).toBeUndefined();
  });

  it('is separate for each key', async () => {
    const [first, second] = [
      await fixture.records.issueKey({ rateLimit: 1 }),
      await fixture.records.issueKey({ rateLimit: 1 }),
    ];
    expect([(await list(first)).status, (await list(first)).status, (await list(second)).status]).toEqual([
      200, 429, 200,
    ]);
  });
});

it('only keys have a rate limit', async () => {
  const { headers } = await fixture.http('GET', '/api/agents');
  expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual([undefined, undefined]);
});
