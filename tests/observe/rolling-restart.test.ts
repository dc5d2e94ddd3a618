import { randomInt } from 'node:crypto';
import { scaled } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpClient, type HttpClient } from '../system/http-client.ts';
import { newPerson } from '../system/person.ts';
import { type ServiceProcess, serviceNames } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { type SteadyRequest, sendSteadily } from '../system/steady-requests.ts';
import { tokenOf } from '../system/tokens.ts';
import { type Balancer, startBalancer } from './balancer.ts';

const pageSize = 100;
/** How long a process may take to end, in milliseconds; those that run containers kill it then. */
const endMs = 20_000;
/** Longer than the balancer of a busy machine takes to see that an instance is not ready any more. */
const environment = { SHUTDOWN_DELAY_MS: '4000' };

let system: System;
/** Two instances of each service. */
let instances: readonly ServiceProcess[];
let balancer: Balancer;
let token: string;
beforeAll(async () => {
  if (!scaled({ full: 1, short: 0 })) return;
  system = await startSystem({ processes: 'each', environment });
  const seconds: ServiceProcess[] = [];
  for (const name of serviceNames) seconds.push(await system.addService(name));
  instances = serviceNames.flatMap((name) => [system.service(name), ...seconds.filter((each) => each.name === name)]);
  balancer = startBalancer(instances.filter(({ name }) => name === 'gateway'));
  const { userId } = await newPerson(system.http);
  token = tokenOf(userId);
});
afterAll(async () => {
  balancer?.stop();
  await system?.stop();
});

const agentId = 'rolling';
/**
 * Sent in total, on a machine for itself. Reads, and some writes that are waited for or not. Two cores that run ten services
 * and the servers are busy with this: slow ones answer 503 `READ_MODEL_BEHIND` while a process is started beside it.
 */
const perSecond = 200;
const writesPerSecond = 6;
const stored: string[] = [];

const send = (): HttpClient => createHttpClient(balancer.next());
const succeeded = ({ status, body }: { readonly status: number; readonly body: unknown }) => {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
};
const store = (path: string) => async () => {
  const content = `Parcel ${stored.length}x${randomInt(1e9)} lies on a shelf.`;
  succeeded(
    await send()
      .as(token)
      .post(path, { agent_id: agentId, items: [{ content }] }),
  );
  stored.push(content);
};
const read = (name: string, share: number, path: string): SteadyRequest => ({
  name,
  perSecond: share * (perSecond - writesPerSecond),
  send: async () => succeeded(await send().as(token).get(path)),
});

const load: readonly SteadyRequest[] = [
  read('list', 0.4, `/api/list?agent_id=${agentId}&limit=1`),
  read('stats', 0.2, `/api/stats/${agentId}`),
  read('me', 0.4, '/api/v3/me'),
  { name: 'batch', perSecond: 2, send: store('/api/memories/batch') },
  { name: 'batch_async', perSecond: 4, send: store('/api/memories/batch_async') },
];

// On a machine that runs other tests beside it, requests wait longer than their limits.
test.runIf(scaled({ full: 1, short: 0 }))(
  'a rolling restart of all services under load fails and loses no request',
  async () => {
    await store('/api/memories/batch')();
    const requests = sendSteadily(load);
    const ends: { readonly name: string; readonly code: number | null; readonly ms: number }[] = [];
    for (const instance of instances) {
      const from = performance.now();
      const { code } = await instance.end();
      ends.push({ name: instance.name, code, ms: performance.now() - from });
      await instance.start();
    }
    const { failures } = await requests.stop();
    expect(failures).toEqual([]);
    expect(ends.filter(({ code, ms }) => code !== 0 || ms > endMs)).toEqual([]);
    await expect.poll(missing, { timeout: 60_000, interval: 500 }).toEqual([]);
  },
  600_000,
);

/** What was accepted and is not in the memory. */
async function missing(): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let offset = 0; ; offset += pageSize) {
    const path = `/api/list?agent_id=${agentId}&limit=${pageSize}&offset=${offset}`;
    const { items } = (await system.http.as(token).get(path)).body;
    for (const { text } of items) found.add(text);
    if (items.length < pageSize) break;
  }
  return stored.filter((content) => !found.has(content));
}
