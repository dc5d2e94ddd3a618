import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createModelFetch } from './model-fetch.ts';

const servers: Server[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = { method: 'post', headers: { 'content-type': 'application/json', authorization: 'Bearer k' }, body: '{}' };

describe('requests to model servers', () => {
  test('carry method, headers and body, and give status, headers and body', async () => {
    const url = await serve((request, response) => {
      const { method, headers } = request;
      request.setEncoding('utf8').on('data', (body) => {
        response.writeHead(201, { 'x-own': 'yes', 'set-cookie': ['a=1', 'b=2'] });
        response.end(JSON.stringify({ method, headers, body }));
      });
    });
    const response = await createModelFetch()(url, post);
    expect([response.status, response.headers.get('x-own'), response.headers.getSetCookie()]).toEqual([
      201,
      'yes',
      ['a=1', 'b=2'],
    ]);
    expect(await response.json()).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer k' }, body: '{}' });
  });

  test('follow a redirection, without the key when it leads to another server', async () => {
    const seen: unknown[] = [];
    const other = await serve((request, response) => {
      seen.push([request.method, request.url, request.headers.authorization]);
      response.end('there');
    });
    const url = await serve((_request, response) => response.writeHead(307, { location: `${other}/moved` }).end());
    const response = await createModelFetch()(url, post);
    expect([await response.text(), seen]).toEqual(['there', [['POST', '/moved', undefined]]]);
  });

  test('end with the signal, also while the body arrives', async () => {
    const url = await serve((_request, response) => response.writeHead(200).write('{'));
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('enough')), 50);
    await expect(createModelFetch()(url, { ...post, signal: abort.signal })).rejects.toThrow('enough');
  });

  test('fail with the code of the connection', async () => {
    await expect(createModelFetch()('http://127.0.0.1:1', post)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('end when the body is larger than an answer can be', async () => {
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const url = await serve((_request, response) => {
      response.once('close', close);
      const part = Buffer.alloc(1024 * 1024, 'x');
      const send = () => void response.write(part, () => response.destroyed || send());
      send();
    });
    await expect(createModelFetch()(url, post)).rejects.toThrow('The answer has more than 64 MiB');
    await closed;
  });

  test('have no body where there is none', async () => {
    const url = await serve((_request, response) => response.writeHead(204).end());
    expect(await (await createModelFetch()(url, post)).text()).toBe('');
  });

  test('go through a proxy only where that is wanted', async () => {
    const url = await serve((_request, response) => response.end('direct'));
    const proxy = await serve((_request, response) => response.end('proxied'));
    vi.stubEnv('HTTP_PROXY', proxy);
    expect(await (await createModelFetch()(url, post)).text()).toBe('direct');
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    expect(await (await createModelFetch()(url, post)).text()).toBe('proxied');
  });
});
