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

it('retries a request that the server has waited for too long, on a connection that was not open before', async () => {
  const connections = new Set<unknown>();
  const { connection } = await serve((request, response) => {
    connections.add(request.socket);
    // It has closed its connections while this process stood still.
    if (connections.size === 1) response.writeHead(408).end();
    else response.end('{"from":"new"}');
  });
  expect(await connection.send('POST', '/', '{}')).toEqual({ from: 'new' });
});

it('retries on a new connection when those that were kept are all closed', async () => {
  let isAsleep = false;
  const { connection } = await serve((request, response) => {
    // Those that are kept alive; a connection for one request says that it is to be closed.
    if (isAsleep && request.headers.connection !== 'close') response.socket?.resetAndDestroy();
    else setTimeout(() => response.end('{}'), 20);
  });
  const send = () => Promise.all(Array.from({ length: 5 }, () => connection.send('POST', '/', '{}')));
  await send();
  isAsleep = true;
  expect(await send()).toHaveLength(5);
});

it.each([
  [408, true],
  [404, true],
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

it('waits shorter for a request that has less time than others, also on a connection that was kept', async () => {
  let requests = 0;
  const { connection } = await serve((_, response) => {
    requests += 1;
    if (requests === 1) response.end('{}');
  });
  await connection.send('POST', '/', '{}');
  const late = connection.send('POST', '/', '{}', 50);
  await expect(late).rejects.toMatchObject({ name: 'QdrantClientTimeoutError' });
});

it('gives up what waits when it is told to, without another try, and sends what comes later', async () => {
  let requests = 0;
  const { connection } = await serve((_, response) => {
    requests += 1;
    if (requests > 2) response.end('{}');
  });
  const waiting = [1, 2].map(() => connection.send('POST', '/', '{}').catch((thrown: unknown) => thrown));
  await expect.poll(() => requests).toBe(2);
  connection.giveUp();
  expect((await Promise.all(waiting)).map(isUnavailable)).toEqual([true, true]);
  expect(await connection.send('POST', '/', '{}')).toEqual({});
  expect(requests).toBe(3);
});
