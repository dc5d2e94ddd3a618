import { expect, it } from 'vitest';
import { Mneme } from '../mneme.ts';
import type { DeliveriesOptions } from '../resources/webhooks.ts';
import { problem, scriptedFetch } from '../testing/scripted-fetch.ts';

/** A stream with the deliveries of some ids, that is cut off after the last one. */
function streamOf(...ids: readonly number[]): () => Response {
  const events = ids.map((id) => `id: ${id}\ndata: {"id":${id}}\n\n`);
  return () => {
    const chunks = ['retry: 1\n\n', ...events, 'id: 99\ndata: cut o'].map((text) => new TextEncoder().encode(text));
    const pull = (controller: ReadableStreamDefaultController) => {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(chunk);
      else controller.error(new Error('connection reset'));
    };
    return new Response(new ReadableStream({ pull }));
  };
}

async function read(script: ReturnType<typeof scriptedFetch>, options: DeliveriesOptions = {}) {
  const ids: number[] = [];
  const { webhooks } = new Mneme({ fetch: script.fetch, retries: 1 });
  const reading = (async () => {
    for await (const { id } of webhooks.deliveries(3, { after: 0, ...options })) ids.push(id);
  })();
  return { ids, error: await reading.catch((error: unknown) => error) };
}

it('continues after the last event when the connection breaks, until it is refused', async () => {
  const soon = { 'retry-after': '0' };
  const outage = [new TypeError('fetch failed'), problem(503, {}, soon), problem(429, {}, soon)];
  const script = scriptedFetch(streamOf(1, 2), streamOf(), ...outage, streamOf(5), problem(404, { code: 'NOT_FOUND' }));
  const { ids, error } = await read(script);
  expect(ids).toEqual([1, 2, 5]);
  expect(error).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const lastIds = script.sent.map(({ headers }) => headers.get('last-event-id'));
  expect(lastIds).toEqual(['0', '2', '2', '2', '2', '2', '5']);
});

it('says when the stream is open, and why it is not while it goes on by itself', async () => {
  const outage = problem(503, {}, { 'retry-after': '0' });
  const script = scriptedFetch(streamOf(1), outage, streamOf(2), problem(404, { code: 'NOT_FOUND' }));
  const said: (string | undefined)[] = [];
  await read(script, { onConnection: (error) => said.push(error?.code) });
  expect(said).toEqual([undefined, 'NETWORK_ERROR', 'UNAVAILABLE', undefined, 'NETWORK_ERROR']);
});

it('fails when the server cannot be reached at the beginning', async () => {
  const script = scriptedFetch(new TypeError('fetch failed'));
  expect(await read(script)).toMatchObject({ ids: [], error: { code: 'NETWORK_ERROR' } });
  expect(script.sent).toHaveLength(2);
});

it('ends with its signal, also while it waits for a reconnection', async () => {
  const controller = new AbortController();
  const script = scriptedFetch(streamOf(1), () => {
    controller.abort(new Error('enough'));
    return problem(503, {}, { 'retry-after': '30' });
  });
  expect(await read(script, { signal: controller.signal })).toMatchObject({ ids: [1], error: { message: 'enough' } });
});
