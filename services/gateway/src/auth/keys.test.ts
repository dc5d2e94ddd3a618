import { hash } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { memoryQuery } from '@mneme/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import type { HttpRequest } from '../testing/http-request.ts';
import { jwtSecret } from '../testing/tokens.ts';

let required: HttpRequest;

const fixture = useGateway({ AUTH_FAILURE_LIMIT: '100000' });
const { http } = fixture;

beforeAll(async () => {
  const env = { MEMORY_AUTH: 'required', JWT_SECRET: jwtSecret, AUTH_FAILURE_LIMIT: '100000' };
  required = (await fixture.startAnother(env)).http;
});

const list = (headers: Record<string, string>, to = http, path = '/api/agents') => to('GET', path, { headers });
const spaces = () => fixture.asked(memoryQuery.listAgents);

async function expectRefused(headers: Record<string, string>) {
  for (const to of [http, required]) {
    const reply = await list(headers, to);
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="mneme", error="invalid_token"');
    expect(reply.body).toMatchObject({ code: 'UNAUTHENTICATED', message: 'The credential is not valid' });
  }
  expect(spaces()).toEqual([]);
}

describe('an issued key', () => {
  it('works in the space of its project, by either header or both', async () => {
    const key = await fixture.records.issueKey({ spaceId: 12 });
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { authorization: `bearer ${key}` },
      { 'x-api-key': key },
      { authorization: `Bearer ${key}`, 'x-api-key': key },
    ]) {
      expect((await list(headers, required)).status).toBe(200);
    }
    expect(spaces()).toEqual(Array(4).fill({ space: '12', limit: 100, counts: false }));
  });

  it.each(['inactive', 'replaced', 'revoked'] as const)('that is %s is refused like an unknown one', async (state) => {
    await expectRefused({ 'x-api-key': await fixture.records.issueKey({ state }) });
  });

  it('that is unknown is refused', () => expectRefused({ 'x-api-key': `sk-${'0'.repeat(32)}` }));

  it('that has no record while records are rebuilt is 503, not unknown', async () => {
    const key = await fixture.records.issueKey();
    await fixture.records.setFilled(false);
    try {
      for (const to of [http, required]) {
        const reply = await list({ 'x-api-key': `sk-${'1'.repeat(32)}` }, to);
        expect(reply).toMatchObject({ status: 503, body: { code: 'REBUILDING' }, headers: { 'retry-after': '5' } });
      }
      expect((await list({ 'x-api-key': key })).status).toBe(200);
    } finally {
      await fixture.records.setFilled(true);
    }
    fixture.services.reset();
    await expectRefused({ 'x-api-key': `sk-${'1'.repeat(32)}` });
  });

  it('is valid until it expires', async () => {
    const expiresAt = (ms: number) => ({ expiresAt: new Date(Date.now() + ms).toISOString() });
    await expectRefused({ 'x-api-key': await fixture.records.issueKey(expiresAt(-1)) });
    const key = await fixture.records.issueKey(expiresAt(60_000));
    expect((await list({ 'x-api-key': key })).status).toBe(200);
  });

  it('is refused from the next request on after it was deactivated, and valid again when reactivated', async () => {
    const key = await fixture.records.issueKey();
    for (let round = 0; round < 10; round += 1) {
      await fixture.records.changeKey(key, { state: 'inactive' });
      expect((await list({ 'x-api-key': key }, round % 2 ? http : required)).status).toBe(401);
      await fixture.records.changeKey(key, { state: 'active' });
      expect((await list({ 'x-api-key': key }, round % 2 ? required : http)).status).toBe(200);
    }
  });

  it.each(['inactive', 'replaced', 'revoked'] as const)(
    'in its overlap is refused when the one that it is counted as is %s',
    async (state) => {
      const newer = await fixture.records.issueKey();
      const key = await fixture.records.issueKey({ countedAs: hash('sha256', newer) });
      expect((await list({ 'x-api-key': key })).status).toBe(200);
      await fixture.records.changeKey(newer, { state });
      fixture.services.reset();
      await expectRefused({ 'x-api-key': key });
    },
  );

  it('in its overlap has the scopes and the limit of the one that it is counted as', async () => {
    const newer = await fixture.records.issueKey({ scopes: [], rateLimit: 3 });
    const key = await fixture.records.issueKey({ countedAs: hash('sha256', newer) });
    const { status, headers } = await list({ 'x-api-key': key });
    expect([status, headers['ratelimit-policy']]).toEqual([403, expect.stringContaining('q=3;')]);
  });

  it('in its overlap is refused when the one that it is counted as is replaced as well, or unknown', async () => {
    const newest = await fixture.records.issueKey();
    const newer = await fixture.records.issueKey({ countedAs: hash('sha256', newest) });
    await expectRefused({ 'x-api-key': await fixture.records.issueKey({ countedAs: hash('sha256', newer) }) });
    await expectRefused({ 'x-api-key': await fixture.records.issueKey({ countedAs: hash('sha256', 'none') }) });
  });

  it('is 401 when it is malformed', async () => {
    const key = await fixture.records.issueKey();
    for (const authorization of [`Bearer ${key.toUpperCase()}`, `Bearer ${key}0`, `Basic ${key}`]) {
      await expectRefused({ authorization });
    }
    await expectRefused({ 'x-api-key': `${key}, ${key}` });
  });

  it('is never read from the query string', async () => {
    const key = await fixture.records.issueKey({ spaceId: 12 });
    for (const name of ['api_key', 'x-api-key', 'authorization', 'access_token', 'token']) {
      expect((await list({}, required, `/api/agents?${name}=${key}`)).status).toBe(401);
      expect((await list({}, http, `/api/agents?${name}=${key}`)).status).toBe(200);
    }
    expect(spaces()).toEqual(Array(5).fill({ space: 'public', limit: 100, counts: false }));
  });

  it('does not appear in problems, logs, metrics and request ids', async () => {
    const key = await fixture.records.issueKey();
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
    for (const secret of [key, token]) {
      const headers = { 'x-request-id': secret };
      const replies = await Promise.all([
        http('GET', `/api/list?limit=${secret}&fact_type=${secret}`, { headers }),
        http('DELETE', `/api/operations/${secret}`, { headers }),
        http('GET', `/api/nothing/${secret}`, { headers: { ...headers, authorization: `Basic ${secret}` } }),
        http('GET', `/api/agents/${secret}/profile`, { headers: { ...headers, authorization: `Bearer ${secret}0` } }),
        http('POST', '/api/search', { body: { query: 'x', fact_type: [secret], question_date: secret }, headers }),
        http('PUT', `/api/list/${secret}`, { headers }),
        http('POST', `/api/search?key=${secret}`, { raw: `{"query":"${secret}`, headers }),
      ]);
      const digits = secret.slice(3);
      for (const { status, headers: sent, text: received } of replies) {
        expect(status).toBeGreaterThanOrEqual(400);
        expect(JSON.stringify(sent) + received).not.toContain(digits);
      }
      expect(JSON.stringify(fixture.log)).not.toContain(digits);
      expect((await http('GET', '/metrics')).text).not.toContain(digits);
    }
  });
});

describe('headers on the wire', () => {
  /** Sends bytes as they are, since clients put headers in order. */
  async function raw(...lines: string[]): Promise<string> {
    const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1');
    const head = ['GET /api/agents HTTP/1.1', 'Host: localhost', ...lines, 'Connection: close'];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    return (await text(socket)).slice(0, 12);
  }

  it('may repeat the same value, but not different ones', async () => {
    const [key, other] = [await fixture.records.issueKey(), await fixture.records.issueKey()];
    expect(await raw(`Authorization: Bearer ${key}`, `Authorization: Bearer ${key}`)).toBe('HTTP/1.1 200');
    expect(await raw(`Authorization: Bearer ${key}`, `Authorization: Bearer ${other}`)).toBe('HTTP/1.1 400');
    expect(await raw(`X-API-Key: ${key}`, `X-API-Key: ${key}`)).toBe('HTTP/1.1 200');
    expect(await raw(`X-API-Key: ${key}`, `X-API-Key: ${other}`)).toBe('HTTP/1.1 400');
    expect(await raw(`X-API-Key: ${key}`, `x-api-key: sk-${'0'.repeat(32)}`)).toBe('HTTP/1.1 400');
  });

  it('may not continue on the next line, or end in odd bytes', async () => {
    const key = await fixture.records.issueKey();
    for (const end of ['\r\n x', '\u0000', '\u000b', ' \u00e9']) {
      expect(await raw(`X-API-Key: ${key}${end}`)).toMatch(/^HTTP\/1.1 40[01]$/);
    }
  });
});

describe('without a credential', () => {
  it('the memory of the space `public` is open, if that is allowed', async () => {
    expect((await list({})).status).toBe(200);
    expect(spaces()).toEqual([{ space: 'public', limit: 100, counts: false }]);
    const { status, headers } = await list({}, required);
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="mneme"']);
    expect((await required('GET', '/healthz')).status).toBe(200);
  });

  it('there is no other space', async () => {
    const { status, body } = await list({ 'x-space-id': '5' });
    expect([status, body.code, body.message]).toEqual([401, 'UNAUTHENTICATED', 'X-Space-Id needs the token of a user']);
  });
});

describe('an event log out of reach', () => {
  it('is 503 for keys, never 401 and never admission', async () => {
    const key = await fixture.records.issueKey();
    await fixture.stack.servers.nats.kill();
    try {
      const { status, headers, body } = await list({ 'x-api-key': key });
      expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await fixture.stack.servers.nats.start();
    }
    await expect.poll(async () => (await list({ 'x-api-key': key })).status, { timeout: 20_000 }).toBe(200);
  });
});
