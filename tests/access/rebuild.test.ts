import { accessBuckets, type KeyReply } from '@mneme/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { createKey, keysOf, newPerson, type Person, useKey } from './person.ts';

/** Of the service `keys` alone. */
const database = 'mneme_access';
const buckets = [accessBuckets.apiKeys, accessBuckets.spaceOwners];

let system: System;
let nats: NatsConnection;
let people: readonly Person[];
/** Keys that open something, and keys that open nothing any more. */
const keys = { good: [] as string[], bad: [] as string[] };
let before: unknown;

beforeAll(async () => {
  system = await startSystem({ processes: 'each', services: ['keys', 'memory-query', 'gateway'] });
  nats = await connect({ servers: system.stack.natsUrl });
  people = [await newPerson(system.http), await newPerson(system.http)];
  await doEverything();
  before = await shownNow();
  return async () => {
    await nats.close();
    await system.stop();
  };
});

/** Every kind of event, and requests of keys. */
async function doEverything(): Promise<void> {
  const [ana, ben] = people as [Person, Person];
  const { body: team } = await ana.http.post('/api/v3/spaces', { name: 'Team', type: 'team' });
  await ana.http.post('/api/v3/projects', { name: 'Bot', space_id: team.id });
  const path = (id: number) => `/api/v3/api-keys/${id}`;
  const project_id = ana.projectId;
  const made = [];
  for (let count = 0; count < 4; count++) made.push(await createKey(ana, { name: `Key ${count}` }));
  const [plain, inactive, replaced, revoked] = made as [Made, Made, Made, Made];
  const bound = await createKey(ben, { project_id, agent_id: 'a', scopes: ['memory:read'], expires_in_days: 7 });
  await ana.http.patch(path(inactive.id), { project_id, is_active: false, name: 'Off', rate_limit: 9 });
  await ana.http.patch(path(plain.id), { project_id, scopes: ['*', 'billing'] });
  const { body: fresh } = await ana.http.post(`${path(replaced.id)}/regenerate`, { project_id });
  await ana.http.delete(`${path(revoked.id)}?project_id=${project_id}`);
  keys.good.push(plain.key, bound.key, fresh.key);
  keys.bad.push(inactive.key, replaced.key, revoked.key);
  for (const key of keys.good) expect(await useKey(system.http, key)).toBe(200);
  await eventually('what was used is counted', async () => {
    return (await keysOf(ana)).filter(({ request_count }) => request_count === 1).length === 3;
  });
}

type Made = Awaited<ReturnType<typeof createKey>>;

/** All that anybody is shown, in its order. */
async function shownNow(): Promise<unknown> {
  const paths = (of: Person) => ['me', 'spaces', 'projects', `api-keys?project_id=${of.projectId}`];
  const requests = people.flatMap((person) => paths(person).map((path) => person.http.get(`/api/v3/${path}`)));
  return (await Promise.all(requests)).map(({ status, body }) => ({ status, body }));
}

async function expectKeys(): Promise<void> {
  for (const key of keys.good) expect(await useKey(system.http, key)).toBe(200);
  for (const key of keys.bad) expect(await useKey(system.http, key)).toBe(401);
}

test('rebuilding while everything runs gives the same records, and requests go on being answered', async () => {
  let isDone = false;
  const requests: Promise<number[]>[] = [];
  const requestOn = async () => {
    const statuses: number[] = [];
    const [ana] = people as [Person];
    const { key } = await createKey(ana, { project_id: ana.projectId, rate_limit: 1_000_000 });
    while (!isDone) {
      statuses.push(await useKey(system.http, key), (await ana.http.get('/api/v3/me')).status);
    }
    return statuses;
  };
  for (let sender = 0; sender < 4; sender++) requests.push(requestOn());
  const others = () => (before as { body: unknown }[]).length;
  for (let round = 0; round < 3; round++) {
    const reply = await nats.request('mneme.keys.rebuild', '{}', { timeout: 20_000 });
    expect(reply.json()).not.toHaveProperty('error');
  }
  isDone = true;
  const statuses = (await Promise.all(requests)).flat();
  expect(statuses.length).toBeGreaterThan(others());
  expect(new Set(statuses)).toEqual(new Set([200]));
  await removeAdded();
  expect(await shownNow()).toEqual(before);
});

/** The keys of the senders, so that the lists are as they were. */
async function removeAdded(): Promise<void> {
  const [ana] = people as [Person];
  const known = new Set((before as { body: KeyReply[] }[])[3]?.body.map(({ id }) => id));
  for (const { id } of await keysOf(ana)) {
    if (!known.has(id)) await ana.http.delete(`/api/v3/api-keys/${id}?project_id=${ana.projectId}`);
  }
}

test('a record that was damaged in the bucket is mended', async () => {
  const bucket = await new Kvm(nats).open(accessBuckets.apiKeys);
  const names: string[] = [];
  for await (const name of await bucket.keys()) if (/^[\da-f]{64}$/.test(name)) names.push(name);
  for (const name of names) await bucket.put(name, '{"state":"active"}');
  expect(await useKey(system.http, keys.bad[0] ?? '')).not.toBe(200);
  const reply = await nats.request('mneme.keys.rebuild', '{}', { timeout: 20_000 });
  expect(reply.json()).not.toHaveProperty('error');
  await expectKeys();
});

test('read models and buckets that were lost are filled from the log, the same to the last id', async () => {
  const service = system.service('keys');
  const shown = await shownNow();
  await service.kill();
  const mongo = await new MongoClient(system.stack.mongodbUrl).connect();
  expect((await mongo.db(database).collections()).length).toBeGreaterThan(0);
  await mongo.db(database).dropDatabase();
  await mongo.close();
  const manager = await jetstreamManager(nats);
  for (const bucket of buckets) expect(await manager.streams.delete(`KV_${bucket}`)).toBe(true);
  await service.start();
  expect(withoutUsage(await shownNow())).toEqual(withoutUsage(shown));
  await expectKeys();
  const [ana] = people as [Person];
  const newest = Math.max(...(await keysOf(ana)).map(({ id }) => id));
  expect((await createKey(ana)).id).toBeGreaterThan(newest);
});

/** Which goes on while these tests use keys. */
function withoutUsage(shown: unknown): unknown {
  return JSON.parse(JSON.stringify(shown), (name, value) => {
    return name === 'request_count' || name === 'last_used_at' ? undefined : value;
  });
}
