import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isUnavailable } from '@mneme/service-kit';
import { afterEach, expect, it } from 'vitest';
import { createJsonConnection } from './json-connection.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function serve(listener: RequestListener, timeoutMs = 5_000) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  stops.push(end);
  const url = new URL(`http://127.0.0.1:${port}`);
  return { end, connection: createJsonConnection({ url, headers: { 'api-key': 'secret' }, timeoutMs }) };
}

it('sends a body as JSON and returns the parsed response', async () => {
  const { connection } = await serve(async (request, response) => {
    const body = JSON.parse((await request.toArray()).join(''));
    response.end(JSON.stringify({ method: request.method, path: request.url, key: request.headers['api-key'], body }));
  });
  const answer = await connection.send('PUT', '/points?wait=true', JSON.stringify({ text: 'Ж' }));
  expect(answer).toEqual({ method: 'PUT', path: '/points?wait=true', key: 'secret', body: { text: 'Ж' } });
});

it('retries a request on a connection that the server has just closed', async () => {
  let requests = 0;
  const { connection } = await serve((_, response) => {
    requests += 1;
    if (requests === 2) response.socket?.resetAndDestroy();
    else response.end('{}');
  });
  await connection.send('POST', '/', '{}');
  expect(await connection.send('POST', '/', '{}')).toEqual({});
  expect(requests).toBe(3);
});

it.each([
  [503, true],
  [400, false],
])('fails for a response with status %i; the server counts as unavailable: %s', async (status, isOut) => {
  const { connection } = await serve((_, response) => response.writeHead(status).end('no such collection'));
  const error = await connection.send('POST', '/points', '{}').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status, message: `/points answered ${status}: no such collection` });
  expect(isUnavailable(error)).toBe(isOut);
});

it('fails as unavailable when the server does not answer in time, or does not listen', async () => {
  const { connection, end } = await serve(() => undefined, 20);
  const late = await connection.send('POST', '/', '{}').catch((thrown: unknown) => thrown);
  end();
  const refused = await connection.send('POST', '/', '{}').catch((thrown: unknown) => thrown);
  expect([late, refused].map(isUnavailable)).toEqual([true, true]);
});
