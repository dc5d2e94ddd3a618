import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { qdrantRequested } from '@mneme/telemetry';
import { QdrantClientTimeoutError } from '@qdrant/js-client-rest';
import { expect, it, onTestFinished } from 'vitest';
import { connectQdrant } from './qdrant-client.ts';

async function startStandIn(paths: string[] = []) {
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ result: { collections: [], points: [] } }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => server.closeAllConnections());
  await once(server, 'listening');
  return { server, client: await connectQdrant(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) };
}

it('measures what it asks, writes and deletes', async () => {
  const { client } = await startStandIn();
  const operations: string[] = [];
  qdrantRequested.subscribe(({ operation }) => operations.push(operation));
  await client.queryBatch('units', { searches: [{ query: [1, 0] }] });
  await client.upsert('units', { points: [] });
  await client.delete('units', { points: [1] });
  client.close();
  expect(operations).toEqual(['query/batch', 'upsert', 'delete']);
});

it('gives up all that a batch waits for, so that an instance that is cut off is not kept from its lanes', async () => {
  const { server, client } = await startStandIn();
  server.removeAllListeners('request').on('request', () => undefined);
  const isGivenUp = (thrown: unknown) => thrown instanceof QdrantClientTimeoutError;
  const waiting = [
    client.retrieve('units', { ids: [1] }),
    client.upsert('units', { points: [] }),
    client.setPayload('units', { payload: { stamp: 1 }, points: [1] }),
  ].map((each) => each.then(() => false, isGivenUp));
  // Until all of them are sent.
  await pause(200);
  client.giveUp();
  const late = pause(2_000, 'still waiting');
  await expect(Promise.race([Promise.all(waiting), late])).resolves.toEqual([true, true, true]);
  client.close();
});

it('leaves no connection open after it is closed, for which a Qdrant that stops would wait', async () => {
  const paths: string[] = [];
  const { server, client } = await startStandIn(paths);
  await client.queryBatch('units', { searches: [{ query: [1, 0] }] });
  await client.scroll('units', {});
  client.close();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  // So that it waits for open connections, as Qdrant does.
  server.closeIdleConnections = () => undefined;
  server.close(() => resolve());
  await expect(Promise.race([closed.then(() => 'closed'), pause(2_000, 'still open')])).resolves.toBe('closed');
  expect(paths).toEqual(['/collections', '/collections/units/points/query/batch', '/collections/units/points/scroll']);
});
