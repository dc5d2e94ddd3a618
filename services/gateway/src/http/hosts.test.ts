import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { memoryQuery } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import type { HttpRequest } from '../testing/http-request.ts';
import { jwtSecret, userToken } from '../testing/tokens.ts';
import { hostNameOf } from './hosts.ts';

const fixture = useGateway({ JWT_SECRET: jwtSecret });

const foreign = 'attacker.example';
const statusAt = async (host: string, path = '/api/agents', http: HttpRequest = fixture.http) =>
  (await http('GET', path, { headers: { host } })).status;

describe('without a credential', () => {
  it.each(['localhost', 'LOCALHOST:8080', 'localhost.', '127.0.0.1', '127.1.2.3:80', '[::1]', '[0:0:0::1]:8080'])(
    'a name of the loopback interface is accepted: %s',
    async (host) => expect(await statusAt(host)).toBe(200),
  );

  it.each([
    foreign,
    'localhost.attacker.example',
    '127.0.0.1.attacker.example',
    '0.0.0.0',
    '[::]',
    '10.0.0.1',
    '128.0.0.1',
  ])('another name is 421, and the body says what to do: %s', async (host) => {
    const { status, headers, body } = await fixture.http('GET', '/api/agents', { headers: { host } });
    expect([status, body.code]).toEqual([421, 'MISDIRECTED_REQUEST']);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(body.detail).toContain('ALLOWED_HOSTS');
    expect(fixture.services.requestsTo(memoryQuery.listAgents)).toEqual([]);
  });

  it.each(['/', '/docs', '/openapi.json', '/metrics', '/readyz', '/healthz', '/nothing'])(
    'that applies to %s too, whatever credentials are sent there',
    async (path) => {
      const headers = { host: foreign, authorization: 'Bearer x', 'x-api-key': 'x' };
      expect((await fixture.http('GET', path, { headers })).status).toBe(421);
      expect(await statusAt('localhost', path)).not.toBe(421);
    },
  );

  it.each(['/mcp', '/mcp/ana'])('it applies to %s, where a credential is verified instead', async (path) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const statusWith = async (headers: Readonly<Record<string, string>>) =>
      (await fixture.http('POST', path, { body, headers: { host: foreign, ...headers } })).status;
    expect(await statusWith({})).toBe(421);
    expect(await statusWith({ authorization: 'Bearer x' })).toBe(401);
    expect(await statusWith({ origin: `http://${foreign}` })).toBe(421);
  });

  it('a forwarded name does not help, not even from a trusted proxy', async () => {
    const trusting = await fixture.startAnother({ TRUSTED_PROXIES: 'loopback' });
    const headers = { host: foreign, 'x-forwarded-host': 'localhost', forwarded: 'host=localhost' };
    expect((await trusting.http('GET', '/api/agents', { headers })).status).toBe(421);
  });

  it('allowed names, and those that the gateway is configured with, are accepted', async () => {
    const settings = {
      ALLOWED_HOSTS: 'Mneme.test, 192.0.2.7,[2001:db8::1]',
      PUBLIC_BASE_URL: 'https://public.test:8443',
    };
    const { http } = await fixture.startAnother(settings);
    for (const host of ['mneme.test:9', 'MNEME.TEST', '192.0.2.7', '[2001:DB8:0::1]', 'public.test', 'localhost']) {
      expect([host, await statusAt(host, '/api/agents', http)]).toEqual([host, 200]);
    }
    expect(await statusAt(foreign, '/api/agents', http)).toBe(421);
    const { http: open } = await fixture.startAnother({ ALLOWED_HOSTS: '*' });
    expect(await statusAt(foreign, '/api/agents', open)).toBe(200);
  });

  it('is 401 instead of 421 if credentials are required', async () => {
    const { http } = await fixture.startAnother({ MEMORY_AUTH: 'required', JWT_SECRET: jwtSecret });
    expect(await statusAt(foreign, '/api/agents', http)).toBe(401);
    expect(await statusAt(foreign, '/healthz', http)).toBe(200);
  });

  it('a delivery to a webhook may use any name, since the token in its path is its credential', async () => {
    const path = `/api/webhooks/incoming/${'a'.repeat(32)}`;
    const { status } = await fixture.http('POST', path, { raw: '{}', headers: { host: 'tunnel.example' } });
    expect(status).toBe(404);
  });
});

it('credentials are verified under any name', async () => {
  await fixture.records.putOwner(7, {});
  const withToken = { host: foreign, authorization: `Bearer ${userToken(7)}` };
  expect((await fixture.http('GET', '/api/agents', { headers: withToken })).status).toBe(200);
  const withBadKey = { host: foreign, 'x-api-key': 'sk-x' };
  expect((await fixture.http('GET', '/api/agents', { headers: withBadKey })).status).toBe(401);
});

describe('a Host header', () => {
  const send = async (...lines: string[]) => {
    const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1');
    socket.write(['GET /healthz HTTP/1.1', ...lines, 'Connection: close', '', ''].join('\r\n'));
    return text(socket);
  };

  it.each([
    ['twice', ['Host: localhost', 'Host: attacker.example']],
    ['twice the same', ['Host: localhost', 'host: localhost']],
    ['with a quote', ['Host: "']],
    ['with a path', ['Host: localhost/x']],
    ['with a user', ['Host: localhost@attacker.example']],
    ['with a list', ['Host: localhost, attacker.example']],
    ['with a blank', ['Host: local host']],
    ['with a bad port', ['Host: localhost:99999']],
    ['with a bad address', ['Host: 1.2.3.4.5']],
    ['that is empty', ['Host:']],
    ['nowhere', []],
  ])('%s is 400', async (_name, lines) => {
    expect(await send(...lines)).toMatch(
      /^HTTP\/1\.1 400 .*application\/problem\+json.*(The Host header is|several Host headers)/s,
    );
  });

  it('is normalised like a browser does', () => {
    expect(['LocalHost.:80', '127.1', '0x7f.0.0.1', '[::0001]:1'].map(hostNameOf)).toEqual([
      ...['localhost', '127.0.0.1', '127.0.0.1', '[::1]'],
    ]);
  });
});
