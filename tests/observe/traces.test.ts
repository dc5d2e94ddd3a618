import { readModelEndpoints } from '@mneme/contracts';
import { createClient } from '@mneme/service-kit';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { memoryServices } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from './trace-receiver.ts';

let receiver: TraceReceiver;
let system: System;
beforeAll(async () => {
  receiver = await startTraceReceiver();
  system = await startSystem({ processes: 'each', services: memoryServices, environment: receiver.settings });
});
afterAll(async () => {
  await system?.stop();
  await receiver?.close();
});

const secret = 'Zanzibar has a harbour';
const batch = (agentId: string) => ({ agent_id: agentId, items: [{ content: `${secret}. Anna lives in Ghent.` }] });
const foreign = { traceId: 'aabbccddeeff00112233445566778899', spanId: '0123456789abcdef' };
const traceparent = `00-${foreign.traceId}-${foreign.spanId}-01`;
const traceOf = (requestId: string) => {
  const root = receiver.spans().find(({ attributes }) => attributes['mneme.request_id'] === requestId);
  return root && { root, spans: receiver.spans().filter(({ traceId }) => traceId === root.traceId) };
};

interface StoreOptions {
  readonly headers?: Record<string, string>;
  readonly http?: System['http'];
  /** What applies the batch last; after a rebuild the former version still applies events for a while. */
  readonly appliedBy?: string;
}

async function store(agentId: string, { headers, http = system.http, appliedBy = 'memory@' }: StoreOptions = {}) {
  const requestId = `trace-${agentId}`;
  const { status } = await http.post('/api/memories/batch', batch(agentId), { ...headers, 'x-request-id': requestId });
  expect(status).toBe(200);
  // Each service sends its spans once a second, so the parent of a span may come later than the span.
  const isWhole = () => {
    const trace = traceOf(requestId);
    const known = new Set([foreign.spanId, ...(trace?.spans.map(({ spanId }) => spanId) ?? [])]);
    const hasParents = trace?.spans.every(({ parentId }) => parentId === undefined || known.has(parentId));
    return hasParents && trace?.spans.some(({ name }) => name.startsWith(`apply ${appliedBy}`)) ? trace : undefined;
  };
  return eventually('the trace has been sent, with the parent of each span', isWhole);
}

test('one trace shows a batch in the gateway, the log, the extraction, the read model and the reply', async () => {
  const { root, spans } = await store('whole');
  const find = (service: string, name: RegExp) => {
    const found = spans.filter((span) => span.service === service && name.test(span.name));
    expect(
      found,
      `${name} of ${service} in ${spans.map((span) => `${span.service}: ${span.name}`).join(', ')}`,
    ).not.toEqual([]);
    return found as [ReceivedSpan, ...ReceivedSpan[]];
  };
  expect([root.name, root.parentId]).toEqual(['POST /api/memories/batch', undefined]);
  const [submitted] = find('gateway', /^append MEMORY$/);
  const [handled] = find('memory-ingest', /^handle BatchSubmitted$/);
  const extracted = find('memory-ingest', /^append MEMORY$/).find(({ parentId }) => parentId === handled.spanId);
  const applied = find('memory-query', /^apply memory@1$/);
  const [waited] = find('memory-query', /^answer .*[oO]peration/);
  expect(submitted.parentId).toBe(root.spanId);
  expect(handled.parentId).toBe(submitted.spanId);
  const projection = applied.find(({ parentId }) => parentId === extracted?.spanId);
  const replied = root.events.find(({ name }) => name === 'replied');
  const order = [root.from, submitted.from, handled.from, extracted?.from, projection?.from, replied?.at];
  expect(order, 'each begins after the one before').toEqual([...order].sort((left = 0, right = 0) => left - right));
  expect(root.to).toBeGreaterThanOrEqual(projection?.to ?? Number.NaN);
  // The answer may be on its way, and there, before its sender has noted that it is sent.
  expect(waited.from).toBeLessThanOrEqual(replied?.at ?? Number.NaN);
  expect(waited.to).toBeGreaterThanOrEqual(projection?.from ?? Number.NaN);
  for (const { from, to } of spans) expect(to).toBeGreaterThanOrEqual(from);
});

test('no text of users is in a span', () => {
  expect(receiver.spans().length).toBeGreaterThan(5);
  expect(JSON.stringify(receiver.spans())).not.toMatch(/Zanzibar|Ghent/);
});

test('the trace of any caller is linked to, so that callers cannot choose what is recorded', async () => {
  const { root } = await store('stranger', { headers: { traceparent } });
  expect(root.traceId).not.toBe(foreign.traceId);
  expect([root.parentId, root.links]).toEqual([undefined, [foreign.traceId]]);
});

test.each(['00-00000000000000000000000000000000-0123456789abcdef-01', 'nonsense', '00-aabb'])(
  'the traceparent %s has no effect',
  async (given) => {
    const { root } = await store(`bad-${given.length}`, { headers: { traceparent: given } });
    expect(root.links).toEqual([]);
  },
);

test('the trace of a trusted proxy is continued', async () => {
  const { http } = await system.addGateway({ TRUSTED_PROXIES: 'loopback' });
  const { root, spans } = await store('proxied', { headers: { traceparent }, http });
  expect([root.traceId, root.parentId]).toEqual([foreign.traceId, foreign.spanId]);
  expect(spans.map(({ service }) => service)).toEqual(
    expect.arrayContaining(['gateway', 'memory-ingest', 'memory-query']),
  );
});

test('events that are replayed for a rebuild do not appear in their traces again', async () => {
  const { root } = await store('replayed');
  // A service sends its spans in order, so all of the first trace have come with the next one.
  await store('in-between');
  const ofTrace = () => receiver.spans().filter(({ traceId, name }) => traceId === root.traceId && /^apply/.test(name));
  const before = ofTrace().length;
  const connection = await connect({ servers: system.stack.natsUrl });
  const client = createClient({ connection });
  const options = { correlationId: 'rebuild', timeoutMs: 60_000 };
  const { version } = await client.request(readModelEndpoints('memory-query').rebuild, { name: 'memory' }, options);
  client.close();
  await connection.close();
  expect(version).toBe(2);
  // What is stored next is applied by the new version, and its trace is sent after anything of the rebuild.
  await store('later', { appliedBy: 'memory@2' });
  expect(ofTrace()).toHaveLength(before);
});
