import { randomInt, randomUUID } from 'node:crypto';
import { scaled, startTestStack } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Balancer, startBalancer } from '../observe/balancer.ts';
import { createTableWebhook, incomingPath, logsOf, type TableWebhook } from '../system/deliveries.ts';
import { eventually } from '../system/eventually.ts';
import { type Answer, createHttpClient, type HttpClient } from '../system/http-client.ts';
import { startMs } from '../system/node-process.ts';
import { createKey, newPerson, type Person } from '../system/person.ts';
import { createServiceProcess, type ServiceProcess, serviceNames } from '../system/service-process.ts';
import { type SteadyRequest, sendSteadily } from '../system/steady-requests.ts';
import { jwtSecret, secretsKey, tokenOf } from '../system/tokens.ts';
import { installRelease, lastRelease } from './last-release.ts';

// Two releases at the same time on the same servers, as during a rolling upgrade and on the way back. The read models of
// the two have different forms, so each release builds its own.

const release = scaled({ full: 1, short: 0 }) ? await lastRelease() : undefined;

const pageSize = 100;
const agentId = 'upgraded';
const key: { value: string } = { value: '' };
const stored: string[] = [];
const delivered: number[] = [];

const closing = new AsyncDisposableStack();
let older: readonly ServiceProcess[];
let newer: readonly ServiceProcess[];
let balancer: Balancer;
let person: Person;
let webhook: TableWebhook;

beforeAll(async () => {
  if (release === undefined) return;
  const folder = await installRelease(release);
  const stack = await startTestStack({ servers: ['nats', 'mongod', 'qdrant'] });
  closing.defer(() => stack.stop());
  const common = { ...stack.settings, JWT_SECRET: jwtSecret, SECRETS_KEY: secretsKey, LOG_LEVEL: 'warn' };
  const create = async (environment: Readonly<Record<string, string>>, from?: string) => {
    const processes = await Promise.all(serviceNames.map((name) => createServiceProcess(name, environment, from)));
    for (const process of processes) closing.defer(() => process.kill());
    return processes;
  };
  // 0.1.0 compared words unless told otherwise, and had no name for that; later releases need the same setting as this one.
  older = await create(common, folder);
  newer = await create({ ...common, EMBEDDING_MODEL: 'builtin:words', SHUTDOWN_DELAY_MS: '4000' });
  await Promise.all(older.map((each) => each.start()));
  balancer = startBalancer(older.filter(isGateway));
  closing.defer(() => balancer.stop());
  await eventually('the former release is ready', async () => (await gateway().get('/readyz')).status === 200, startMs);
  person = await newPerson(gateway());
  key.value = (await createKey(person)).key;
  webhook = await createTableWebhook(person);
}, 600_000);
afterAll(() => closing.disposeAsync());

test.runIf(release !== undefined)(
  'the last release is replaced by this one under load, and comes back, without a failed request or a lost write',
  async () => {
    for (let index = 0; index < 20; index += 1) await store('/api/memories/batch')();
    await replace(older, newer);
    await expectNothingLost();
    await replace(newer, older);
    await expectNothingLost();
  },
  600_000,
);

/** Starts each service of one release beside that of the other, which ends when it is ready. All the while requests are sent. */
async function replace(leaving: readonly ServiceProcess[], coming: readonly ServiceProcess[]): Promise<void> {
  const requests = sendSteadily(load);
  for (const [index, service] of coming.entries()) {
    await service.start();
    if (isGateway(service)) balancer.add(service);
    const other = leaving[index];
    if (other && isGateway(other)) balancer.remove(other);
    await other?.end();
  }
  const { failures, sent } = await requests.stop();
  expect(failures).toEqual([]);
  expect(Math.min(...Object.values(sent))).toBeGreaterThan(0);
}

const gateway = (): HttpClient => createHttpClient(balancer.next());

function isGateway({ name }: ServiceProcess): boolean {
  return name === 'gateway';
}

/**
 * Repeats what is answered with 503 `UNAVAILABLE` once, as clients do: the former release answers so to what it works on
 * when it is stopped.
 */
async function succeed(send: (http: HttpClient) => Promise<Answer<unknown>>): Promise<void> {
  const sendOnce = () => send(gateway().as(key.value));
  const isUnavailable = ({ status, body }: Answer<unknown>) =>
    status === 503 && (body as { code?: string }).code === 'UNAVAILABLE';
  const first = await sendOnce();
  const { status, body } = isUnavailable(first) ? await sendOnce() : first;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
}

const store = (path: string) => async () => {
  const content = `Parcel ${stored.length}x${randomInt(1e9)} lies on a shelf.`;
  const once = { 'idempotency-key': randomUUID() };
  await succeed((http) => http.post(path, { agent_id: agentId, items: [{ content }] }, once));
  stored.push(content);
};
const deliver = async () => {
  const number = randomInt(1e9);
  await succeed((http) => http.post(incomingPath(webhook), { number }));
  delivered.push(number);
};
const read = (name: string, perSecond: number, path: string): SteadyRequest => {
  return { name, perSecond, send: () => succeed((http) => http.get(path)) };
};

const load: readonly SteadyRequest[] = [
  read('list', 5, `/api/list?agent_id=${agentId}&limit=1`),
  read('stats', 5, `/api/stats/${agentId}`),
  { name: 'search', perSecond: 2, send: () => succeed((http) => http.post('/api/search', question)) },
  { name: 'batch', perSecond: 2, send: store('/api/memories/batch') },
  { name: 'batch_async', perSecond: 2, send: store('/api/memories/batch_async') },
  { name: 'delivery', perSecond: 5, send: deliver },
];
const question = { agent_id: agentId, query: 'Where is the parcel?' };

async function expectNothingLost(): Promise<void> {
  await expect.poll(missing, { timeout: 60_000, interval: 500 }).toEqual([]);
  await expect.poll(undelivered, { timeout: 60_000, interval: 500 }).toEqual([]);
}

/** What was accepted and is not in the memory. */
async function missing(): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let offset = 0; ; offset += pageSize) {
    const path = `/api/list?agent_id=${agentId}&limit=${pageSize}&offset=${offset}`;
    const { status, body } = await gateway().as(key.value).get(path);
    if (status !== 200) return [`${status} ${JSON.stringify(body)}`];
    for (const { text } of body.items) found.add(text);
    if (body.items.length < pageSize) break;
  }
  return stored.filter((content) => !found.has(content));
}

/** Deliveries that were accepted and did not become rows exactly once. */
async function undelivered(): Promise<readonly number[]> {
  const { userId } = person;
  const logs = await logsOf({ ...person, userId, http: gateway().as(tokenOf(userId)) }, webhook);
  const processed = logs.filter(({ status }) => status === 'processed');
  const numbers = processed.map(({ payload }): unknown => JSON.parse(payload).number);
  const counts = Map.groupBy(numbers, (number) => number);
  return delivered.filter((number) => counts.get(number)?.length !== 1);
}
