import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { memoryQuery, WireError } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { useGateway } from './testing/gateway-fixture.ts';

const fixture = useGateway({ CORS_ORIGINS: 'https://console.example' });
const { http } = fixture;

const search = '/api/search';
const query = { query: 'x' };

describe('every answer', () => {
  it('has the usual security headers, is not cached, and names no framework', async () => {
    const { headers } = await http('GET', '/healthz');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers.etag).toBeUndefined();
  });

  it('has the request id of the caller when it is valid', async () => {
    const { headers } = await http('GET', '/healthz', { headers: { 'x-request-id': 'my.id-1_x' } });
    expect(headers['x-request-id']).toBe('my.id-1_x');
  });

  it.each(['', 'a b', 'a\tb', 'ü', 'x'.repeat(129), '{"a":1}'])('has a new request id instead of %j', async (given) => {
    const { headers } = await http('GET', '/healthz', { headers: { 'x-request-id': given } });
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });

  it('is readable for the listed origins only', async () => {
    const allowed = await http('GET', '/healthz', { headers: { origin: 'https://console.example' } });
    expect(allowed.headers['access-control-allow-origin']).toBe('https://console.example');
    expect(allowed.headers['access-control-expose-headers']).toContain('X-Event-Position');
    const other = await http('GET', '/healthz', { headers: { origin: 'https://evil.example' } });
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('a problem', () => {
  it('has the common shape', async () => {
    const { status, headers, body } = await http('GET', '/nothing', { headers: { 'x-request-id': 'r1' } });
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(body).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      code: 'NOT_FOUND',
      request_id: 'r1',
      detail: 'There is nothing at this path',
      message: 'There is nothing at this path',
    });
  });

  it('of a refusal of a service has its status, code, message and further members, which replace none', async () => {
    const extra = { retry: 'never', status: 1 };
    fixture.services.answer(memoryQuery.search, () => {
      throw new WireError({ status: 404, code: 'NOT_FOUND', message: 'No such thing', extra });
    });
    const { status, body } = await http('POST', search, { body: query });
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'NOT_FOUND', detail: 'No such thing', retry: 'never', status: 404 });
  });

  it('of an unexpected error shows nothing of it, and is logged once with the request id', async () => {
    fixture.services.answer(memoryQuery.search, () => {
      throw new Error('at /srv/secret.ts mongodb://user:pass@host');
    });
    const { status, body, text: sent } = await http('POST', search, { body: query, headers: { 'x-request-id': 'r2' } });
    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 'INTERNAL_ERROR', message: 'Internal error', request_id: 'r2' });
    expect(sent).not.toMatch(/secret|mongodb|\.ts/);
    expect(fixture.notes()).toMatchObject([{ level: 'error', requestId: 'r2' }]);
  });

  it('of a service out of reach says when to try again', async () => {
    await fixture.services.stop('memory-query');
    const { status, headers, body } = await http('POST', search, { body: query });
    await fixture.services.start('memory-query');
    expect(status).toBe(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(body).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('memory-query') });
    const line = { level: 'warn', status: 503, requestId: headers['x-request-id'] };
    expect(fixture.notes()).toMatchObject([line]);
    expect(JSON.stringify(fixture.log)).not.toMatch(/\.ts:\d|stack/);
  });
});

describe('a caller that goes away', () => {
  it('aborts its request in the service, and nothing is logged', async () => {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    fixture.services.answer(memoryQuery.search, async (_request, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve());
      started.resolve();
      await aborted.promise;
      return { results: [], trace: null };
    });
    const caller = new AbortController();
    const body = JSON.stringify(query);
    const headers = { 'content-type': 'application/json' };
    const asked = fetch(`${fixture.url}${search}`, { method: 'POST', body, headers, signal: caller.signal });
    await started.promise;
    caller.abort();
    await expect(asked).rejects.toThrow();
    await aborted.promise;
    expect(fixture.notes()).toEqual([]);
  });
});

describe('paths and methods', () => {
  it.each([
    ['PATCH', '/api/agents', 'GET, HEAD, OPTIONS'],
    ['POST', '/api/operations/x', 'GET, HEAD, DELETE, OPTIONS'],
    ['GET', '/api/search', 'POST, OPTIONS'],
    ['DELETE', '/metrics', 'GET, HEAD, OPTIONS'],
    ['PUT', '/', 'GET, HEAD, OPTIONS'],
  ])('%s %s is 405 and says what is allowed', async (method, path, allow) => {
    const { status, headers, body } = await http(method, path);
    expect(status).toBe(405);
    expect(headers.allow?.split(', ').sort()).toEqual(allow.split(', ').sort());
    expect(body.code).toBe('METHOD_NOT_ALLOWED');
  });

  it('OPTIONS lists the methods', async () => {
    const { status, headers } = await http('OPTIONS', '/api/agents/x/profile');
    expect(status).toBe(204);
    expect(headers.allow).toContain('PUT');
  });

  const unknown = ['/api', '/api/Agents', '/api/operations/', '/api/v2/agents', '/.git/config'];
  it.each([...unknown, '/docs/package.json', '/docs/../package.json'])('%s is 404', async (path) =>
    expect((await http('GET', path)).status).toBe(404),
  );

  it.each(['/api/stats/%FF', '/api/stats/%', '/api/stats/%zz', '/api/agents/a%E4/profile'])(
    'a malformed percent-encoding is 400: %s',
    async (path) => {
      const { status, body } = await http('GET', path);
      expect(status).toBe(400);
      expect(body.code).toBe('BAD_REQUEST');
    },
  );

  it.each(['%E9', '%', '%zz', '%c3%28', 'a&%e4=b', '%ed%a0%80'])(
    'a malformed percent-encoding in the query is 400: %s',
    async (value) => {
      const { status, body } = await http('GET', `/api/agents?prefix=${value}`);
      expect([status, body.detail]).toEqual([400, 'The query string has a malformed percent-encoding']);
    },
  );

  it('a well-formed query means what it says', async () => {
    await http('GET', '/api/agents?prefix=100%25+%C3%A9%EF%BF%BD');
    expect(fixture.services.requestsTo(memoryQuery.listAgents)).toMatchObject([
      { request: { prefix: '100% é\ufffd' } },
    ]);
  });

  it('HEAD has the headers of GET and no body', async () => {
    const { status, headers, text: sent } = await http('HEAD', '/healthz');
    expect([status, sent]).toEqual([200, '']);
    expect(headers['content-length']).toBe('15');
  });

  const search = 'POST /api/search HTTP/1.1\r\nHost: localhost\r\n';
  it.each([
    ['a malformed header', 'GET /healthz HTTP/1.1\r\nbad header\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
    ['a broken chunk', `${search}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['two lengths', `${search}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
  ])('%s is answered with a problem, and the connection is closed', async (_name, bytes) => {
    const { port } = new URL((await fixture.startAnother({})).url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(bytes);
    const received = await text(socket);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).toContain('application/problem+json');
  });
});

describe('X-Min-Event-Position', () => {
  it('reaches the read as a sequence', async () => {
    await fixture.fillLog('MEMORY', 42);
    await http('POST', search, { body: query, headers: { 'x-min-event-position': 'MEMORY:42' } });
    expect(fixture.services.requestsTo(memoryQuery.search)).toMatchObject([{ request: { minSequence: 42 } }]);
  });

  it('beyond the log is 400, and accepted as soon as the log has reached it', async () => {
    const next = (await fixture.store.head()) + 1;
    const headers = { 'x-min-event-position': `MEMORY:${next}` };
    const { status, body } = await http('POST', search, { body: query, headers });
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(fixture.services.requestsTo(memoryQuery.search)).toEqual([]);
    await fixture.fillLog('MEMORY', next);
    expect((await http('POST', search, { body: query, headers })).status).toBe(200);
    expect(fixture.notes()).toEqual([]);
  });

  it.each(['42', 'MEMORY:', 'MEMORY:-1', 'MEMORY:1e3', 'OTHER:1', 'MEMORY:1, MEMORY:2', ''])(
    '%j is 400',
    async (given) => {
      const { status, body } = await http('POST', search, { body: query, headers: { 'x-min-event-position': given } });
      expect(status).toBe(400);
      expect(body.code).toBe('BAD_REQUEST');
    },
  );
});
