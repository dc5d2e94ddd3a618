import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@mneme/service-kit';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdmissionDeps } from '../auth/admission.ts';
import { handleErrors } from '../http/answers.ts';
import { HeldBodies } from '../http/input/held-bodies.ts';
import { assignRequestId, RunningRequests, readQueryString } from '../http/request.ts';
import { type HttpRequest, httpClient } from '../testing/http-request.ts';
import { bindMcp } from './bind-mcp.ts';

/** Enough for the first message, which loads what the others have. */
const timeoutMs = 2_000;
const servers: Server[] = [];
/** What the HTTP API was asked that never answers. */
const asked: string[] = [];
const gone: Promise<unknown>[] = [];
let http: HttpRequest;

async function start(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const silent = await start(
    createServer((request, response) => {
      asked.push(request.url ?? '');
      gone.push(once(response, 'close'));
    }),
  );
  const logger = createLogger({ service: 'gateway', level: 'silent' });
  const app = express().use(assignRequestId, readQueryString);
  // What identifies callers without a credential.
  const admission = { memoryAuth: 'optional', sessions: { of: async () => undefined } } as unknown as AdmissionDeps;
  const ownUrl = () => `http://127.0.0.1:${silent}`;
  const running = new RunningRequests();
  const body = { bodyLimitBytes: 10_000, heldBodies: new HeldBodies() };
  bindMcp(app, { logger, admission, running, ownUrl, ...body, corsOrigins: [] }, timeoutMs);
  http = httpClient(await start(createServer(app.use(handleErrors(logger)))));
});
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

const post = (body: unknown) =>
  http('POST', '/mcp/alice', { body, headers: { accept: 'application/json, text/event-stream' } });
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_memories' } };
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };

it('answers a message that takes too long with 504, and ends its requests', async () => {
  const { status, headers, body } = await post(call);
  expect([status, headers['content-type']]).toEqual([504, 'application/problem+json']);
  expect(body).toMatchObject({ code: 'TIMEOUT', detail: `The message was not processed within ${timeoutMs} ms` });
  expect(asked).toEqual([expect.stringContaining('/api/list')]);
  await Promise.all(gone);
});

it('answers a request that its own message cancels, and accepts a cancellation alone', async () => {
  expect(await post([list, cancel])).toMatchObject({ status: 200, body: { id: 2, result: expect.anything() } });
  expect(await post(cancel)).toMatchObject({ status: 202, text: '' });
});
