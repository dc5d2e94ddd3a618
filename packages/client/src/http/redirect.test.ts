import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Mneme } from '../mneme.ts';
import { isWorthRepeating } from './error.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that gives one answer to all, and the requests that it has received. */
async function serve(status: number, location: (request: IncomingMessage) => string | undefined = () => undefined) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    const to = location(request);
    response.writeHead(status, to === undefined ? {} : { location: to }).end('{"results": []}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close().closeAllConnections());
  return { received, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

type Request = (mneme: Mneme) => Promise<unknown>;

it.each<[string, string, Request]>([
  ['a read', '/api/stats/a', (mneme) => mneme.agent('a').stats()],
  ['a query', '/api/list', (mneme) => mneme.agent('a').memories.page({ q: 'x' })],
  ['a command', '/api/memories/batch', (mneme) => mneme.agent('a').remember('x')],
  ['an export', '/api/v3/tables/7/rows.csv', (mneme) => mneme.tables.export(7, 'csv')],
  ['a stream', '/api/v3/webhooks/7/logs/stream', (mneme) => mneme.webhooks.deliveries(7, { after: 0 }).next()],
])('%s that is redirected fails at once, names where to, and sends nothing there', async (_, path, send) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const other = await serve(200);
    const moved = await serve(status, ({ url }) => `${other.address}/base${url}`);
    const refusal = await send(new Mneme({ baseUrl: moved.address, apiKey: 'sk-1' })).catch((error: unknown) => error);
    const detail = `The server redirects to ${other.address}/base${path}: set baseUrl to ${other.address}/base`;
    expect(refusal).toMatchObject({ name: 'MnemeError', status, code: 'INVALID_RESPONSE', detail });
    expect([moved.received.length, other.received]).toEqual([1, []]);
  }
});

it('a redirection to another path, such as that of a login, has no query in its error', async () => {
  const { address } = await serve(302, () => '/login?state=secret');
  const detail = `The server redirects to ${address}/login: set baseUrl to the address of the server itself`;
  await expect(new Mneme({ baseUrl: address }).me()).rejects.toMatchObject({ detail });
});

it('a redirection whose location a browser hides fails at once', async () => {
  let sent = 0;
  const browser: typeof fetch = async (_, init) => {
    sent += 1;
    expect(init?.redirect).toBe('manual');
    return Object.defineProperties(Response.error(), { type: { value: 'opaqueredirect' } });
  };
  const refusal = await new Mneme({ fetch: browser }).me().catch((error: unknown) => error);
  const detail = 'The server redirects to another address: set baseUrl to the address of the server itself';
  expect(refusal).toMatchObject({ status: 0, code: 'INVALID_RESPONSE', detail });
  expect([isWorthRepeating(refusal), sent]).toEqual([false, 1]);
});
