import { memoryQuery } from '@mneme/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import type { HttpRequest } from '../testing/http-request.ts';
import { jwtSecret, userToken } from '../testing/tokens.ts';

const listed = 'https://app.example';
const fixture = useGateway({ JWT_SECRET: jwtSecret });
const { http } = fixture;
let withCors: HttpRequest;
beforeAll(async () => {
  const settings = { JWT_SECRET: jwtSecret, CORS_ORIGINS: listed };
  ({ http: withCors } = await fixture.startAnother(settings));
});

type Headers = Readonly<Record<string, string>>;
const host = 'localhost:8080';
const foreign = { 'sec-fetch-site': 'cross-site' };
const read = (headers: Headers, via = http) => via('GET', '/api/agents', { headers: { host, ...headers } });
const statusOf = async (headers: Headers, via = http) => (await read(headers, via)).status;

describe('without a credential', () => {
  it.each<[string, Headers]>([
    ['an image of another site', { ...foreign, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['an image of another port of this machine', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
    ['a script of another site', { ...foreign, origin: 'https://evil.example' }],
    ['a script of another port', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:81' }],
    ['a frame', { ...foreign, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['a link', { ...foreign, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-user': '?1' }],
    ['a listed site, whose image does not name its origin', foreign],
  ])('%s is refused, and told what to set', async (_name, headers) => {
    for (const via of [http, withCors]) {
      const { status, body } = await read(headers, via);
      expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
      expect(body.detail).toContain('CORS_ORIGINS');
    }
    expect(fixture.services.requestsTo(memoryQuery.listAgents)).toEqual([]);
  });

  it('that is so for reads that create something and for writes', async () => {
    const body = { agent_id: 'x', items: [] };
    for (const [method, path] of [
      ['GET', '/api/agents/x/profile'],
      ['HEAD', '/api/agents/x/profile'],
      ['POST', '/api/memories/batch'],
    ] as const) {
      const options = { headers: { host, ...foreign }, ...(method === 'POST' && { body }) };
      expect((await http(method, path, options)).status).toBe(403);
    }
  });

  it.each<[string, Headers]>([
    ['a program', {}],
    ['a program in which fetch says no more', { 'sec-fetch-mode': 'cors' }],
    ['the console', { 'sec-fetch-site': 'same-origin' }],
    ['the console behind a proxy that changes the host', { 'sec-fetch-site': 'same-origin', origin: 'http://other' }],
    ['what names an origin, but no site', { origin: 'https://other.example' }],
    ['a typed address', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ])('%s is answered', async (_name, headers) => expect(await statusOf(headers)).toBe(200));

  it('pages of listed origins are answered', async () => {
    expect(await statusOf({ ...foreign, origin: listed }, withCors)).toBe(200);
    const { http: open } = await fixture.startAnother({ CORS_ORIGINS: '*' });
    for (const headers of [{ ...foreign, origin: 'https://any.example' }, foreign]) {
      expect(await statusOf(headers, open)).toBe(200);
    }
  });

  it('preflights are answered as before', async () => {
    const asked = { host, ...foreign, 'access-control-request-method': 'POST' };
    const preflight = (origin: string) => withCors('OPTIONS', '/api/memories/batch', { headers: { ...asked, origin } });
    const { status, headers } = await preflight(listed);
    expect([status, headers['access-control-allow-origin']]).toEqual([204, listed]);
    expect((await preflight('https://evil.example')).headers).not.toHaveProperty('access-control-allow-origin');
    expect((await http('OPTIONS', '/api/memories/batch', { headers: { ...asked, origin: listed } })).status).toBe(204);
  });

  it.each(['/', '/docs', '/openapi.json', '/healthz', '/api/v3/session'])('a link to %s works', async (path) => {
    const headers = { host, ...foreign, 'sec-fetch-mode': 'navigate' };
    expect((await http('GET', path, { headers })).status).toBe(200);
  });

  it('webhooks take deliveries from pages', async () => {
    const path = `/api/webhooks/incoming/${'a'.repeat(32)}`;
    const headers = { host, ...foreign, origin: 'https://evil.example' };
    expect((await http('POST', path, { raw: '{}', headers })).status).toBe(404);
  });
});

it('a credential is verified wherever it comes from', async () => {
  await fixture.records.putOwner(7, {});
  expect(await statusOf({ ...foreign, authorization: `Bearer ${userToken(7)}` })).toBe(200);
  expect(await statusOf({ ...foreign, 'x-api-key': 'sk-x' })).toBe(401);
});

it('where credentials are required, the answer is 401', async () => {
  const { http: closed } = await fixture.startAnother({ JWT_SECRET: jwtSecret, MEMORY_AUTH: 'required' });
  expect(await statusOf({ ...foreign, origin: 'https://evil.example' }, closed)).toBe(401);
});
