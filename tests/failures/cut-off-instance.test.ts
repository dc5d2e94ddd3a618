import { atFullLength } from '@mneme/local-stack/testing';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { Answer } from '../system/http-client.ts';
import { createKey, newPerson, type Person } from '../system/person.ts';
import type { ServiceName } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { type CuttableProxy, startCuttableProxy } from './cuttable-proxy.ts';

/** It is noticed within 7 s; on a busy machine that may take longer. */
const noticedMs = 30_000;
/** Far below the 20 s and more for which a request waits for a store that does not answer. */
const promptMs = 10_000;
const agents = Array.from({ length: 8 }, (_, index) => `agent-${index}`);

let system: System;
let ana: Person;

/** Starts a second instance of a service, which reaches one of its stores through a proxy. */
async function startSecond(name: ServiceName, setting: 'QDRANT_URL' | 'MONGODB_URL') {
  const { qdrantUrl, mongodbUrl } = system.stack;
  const url = new URL(setting === 'QDRANT_URL' ? qdrantUrl : mongodbUrl);
  const proxy = await startCuttableProxy(url.host);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  url.host = proxy.address;
  if (setting === 'MONGODB_URL') {
    // Otherwise the driver goes to the address that the replica set names.
    url.searchParams.delete('replicaSet');
    url.searchParams.set('directConnection', 'true');
  }
  const service = await system.addService(name, { [setting]: url.href });
  onTestFinished(() => service.kill());
  return { service, proxy };
}

type Second = Awaited<ReturnType<typeof startSecond>>;

async function untilAside({ service }: Second): Promise<void> {
  const isAside = () => service.output().includes('leaves requests to its other instances');
  await eventually('the instance leaves requests to the other one', isAside, noticedMs);
}

async function untilBack({ service }: Second): Promise<void> {
  const isReady = async () => (await fetch(`http://127.0.0.1:${service.port}/readyz`)).ok;
  await eventually('the instance takes requests again', isReady, noticedMs);
}

/** Sends so many requests that both instances get some, if both take them. */
async function expectAllAnswered(send: (turn: number) => Promise<Answer<unknown>>): Promise<void> {
  const begin = performance.now();
  const answers = await Promise.all(Array.from({ length: 24 }, (_, turn) => send(turn)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(performance.now() - begin).toBeLessThan(promptMs);
}

async function expectCutOffAndBack(
  second: Second,
  cut: keyof Pick<CuttableProxy, 'silence' | 'refuse'>,
  send: (turn: number) => Promise<Answer<unknown>>,
): Promise<void> {
  await expectAllAnswered(send);
  second.proxy[cut]();
  const underWay = Promise.all(agents.map((_, turn) => send(turn)));
  await untilAside(second);
  const begin = performance.now();
  await Promise.all([underWay, expectAllAnswered(send)]);
  expect(performance.now() - begin).toBeLessThan(promptMs);
  expect((await system.http.get('/readyz')).body).toMatchObject({ checks: { [second.service.name]: 'ok' } });
  second.proxy.restore();
  await untilBack(second);
  await expectAllAnswered(send);
}

const content = { content: 'Crate C1 holds lemons.' };
const search = (turn: number) =>
  system.http.post('/api/search', { agent_id: agents[turn % agents.length], query: 'Who holds lemons?' });
const store = (turn: number) =>
  system.http.post('/api/memories/batch', { agent_id: agents[turn % agents.length], items: [content] });

// That an instance stands aside is tested for all services in packages/read-models/src/operators.
describe.runIf(atFullLength)('an instance that is cut off from a store', () => {
  beforeAll(async () => {
    system = await startSystem({ processes: 'each', services: ['keys', 'memory-ingest', 'memory-query', 'gateway'] });
    ana = await newPerson(system.http);
    await createKey(ana);
    return system.stop;
  });

  test('while Qdrant is silent to one instance of memory-query, the other one answers and stores for all agents', async () => {
    const second = await startSecond('memory-query', 'QDRANT_URL');
    await expectCutOffAndBack(second, 'silence', (turn) => (turn % 3 === 0 ? store(turn) : search(turn)));
  });

  test('while one instance of keys cannot reach MongoDB, the other one answers', async () => {
    const second = await startSecond('keys', 'MONGODB_URL');
    const list = () => ana.http.get(`/api/v3/api-keys?project_id=${ana.projectId}`);
    await expectCutOffAndBack(second, 'refuse', list);
  });
});
