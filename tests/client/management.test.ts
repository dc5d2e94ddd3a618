import { Mneme } from '@mneme/client';
import { beforeAll, expect, test } from 'vitest';
import { clientOf } from '../system/client-of.ts';
import { newPerson } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { tokenOf } from '../system/tokens.ts';

let system: SharedSystem;
/** A client of a new user. */
let mneme: Mneme;
let projectId: number;
beforeAll(async () => {
  system = await shareSystem();
  const person = await newPerson(system.http);
  projectId = person.projectId;
  mneme = clientOf(person);
  return system.release;
});

test('a key is created, used, changed, regenerated and revoked', async () => {
  const { id, key } = await mneme.keys.create({ name: 'Reader', projectId, scopes: ['memory:read'], rateLimit: 50 });
  const reader = new Mneme({ baseUrl: system.http.url, apiKey: key });
  await mneme.agent('alice').remember('Alice has a boat.');
  expect((await reader.agent('alice').recall('What does Alice have?')).results).toHaveLength(1);
  await expect(reader.agent('alice').remember('More.')).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
  expect(await mneme.keys.update(id, { projectId, isActive: false })).toMatchObject({ rate_limit: 50 });
  await expect(reader.agent('alice').stats()).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  await mneme.keys.update(id, { projectId, isActive: true });
  const renewed = await mneme.keys.regenerate(id, { projectId });
  const again = new Mneme({ baseUrl: system.http.url, apiKey: renewed.key });
  expect(await again.agent('alice').stats()).toMatchObject({ total_nodes: 1 });
  await mneme.keys.revoke(id, { projectId });
  expect(await mneme.keys.list(projectId)).toEqual([]);
});

test('spaces are apart', async () => {
  const team = await mneme.spaces.create({ name: 'Team', type: 'team' });
  expect((await mneme.spaces.list()).map(({ id }) => id)).toContain(team.id);
  const project = await mneme.projects.create({ name: 'Shared', spaceId: team.id });
  expect((await mneme.me()).spaces.find(({ id }) => id === team.id)?.projects[0]?.id).toBe(project.id);
  const { key } = await mneme.keys.create({ name: 'Team', projectId: project.id });
  const inTeam = new Mneme({ baseUrl: system.http.url, apiKey: key });
  await inTeam.agent('zoe').remember('The team meets on Mondays.');
  expect(await mneme.agent('zoe').memories.list().all()).toEqual([]);
  expect(await inTeam.agent('zoe').memories.list().all()).toHaveLength(1);
});

test('deliveries become rows, which are listed and exported', async () => {
  const webhook = await mneme.webhooks.create(projectId, {
    name: 'Orders',
    createNewTable: true,
    newTableName: 'orders',
  });
  for (let number = 1; number <= 5; number += 1) await deliver(webhook.token, { number });
  const tableId = webhook.table_id ?? 0;
  const numbers = (await mneme.tables.rows(tableId, { order: 'asc', pageSize: 2 }).all()).map(
    ({ values }) => values.number,
  );
  expect(numbers).toEqual([1, 2, 3, 4, 5]);
  expect(await mneme.webhooks.logs(webhook.id, { pageSize: 2 }).all()).toHaveLength(5);
  expect(await (await mneme.tables.export(tableId, 'json')).json()).toHaveLength(5);
  expect((await (await mneme.tables.export(tableId, 'csv')).text()).trim().split('\n')).toHaveLength(6);
  expect(await mneme.tables.get(tableId)).toMatchObject({ row_count: 5 });
  expect((await mneme.tables.list(projectId)).map(({ id }) => id)).toContain(tableId);
  const [newest] = await mneme.webhooks.logs(webhook.id, { pageSize: 1 }).all();
  expect(await mneme.webhooks.replay(webhook.id, newest?.id ?? 0)).toMatchObject({ status: 'processed' });
  await mneme.webhooks.delete(webhook.id);
  expect((await mneme.webhooks.list(projectId)).map(({ id }) => id)).not.toContain(webhook.id);
});

test('live deliveries come once each and in order while the gateway is killed and restarted', async () => {
  const gateway = await system.addGateway();
  const { id, token } = await mneme.webhooks.create(projectId, { name: 'Live' });
  await deliver(token, 'before');
  const live = new Mneme({ baseUrl: gateway.http.url, apiKey: tokenOf((await mneme.me()).user_id) });
  const controller = new AbortController();
  const received: string[] = [];
  const reading = (async () => {
    for await (const { payload } of live.webhooks.deliveries(id, { signal: controller.signal })) received.push(payload);
  })();
  const ended = expect(reading).rejects.toThrow('enough');
  // It starts with the next delivery, so one has to come until it has started.
  let sent = 0;
  const next = () => {
    sent += 1;
    return deliver(token, sent);
  };
  await expect.poll(() => next().then(() => received.length), { timeout: 20_000 }).toBeGreaterThan(0);
  await gateway.process.kill();
  await next();
  await next();
  await gateway.process.start();
  await next();
  await expect.poll(() => received.at(-1), { timeout: 30_000 }).toBe(String(sent));
  const first = Number(received[0]);
  expect(received).toEqual(Array.from({ length: sent - first + 1 }, (_, index) => String(first + index)));
  controller.abort(new Error('enough'));
  await ended;
});

test('a stream that is refused ends with the refusal, and one that is left is closed', async () => {
  const none = mneme.webhooks.deliveries(999_999_999, { after: 0 });
  await expect(none.next()).rejects.toMatchObject({ status: 404 });
  const { id, token } = await mneme.webhooks.create(projectId, { name: 'Left' });
  await deliver(token, 'one');
  // A user may have 10 streams open.
  for (let round = 0; round < 12; round += 1) {
    for await (const { payload } of mneme.webhooks.deliveries(id, { after: 0 })) {
      expect(payload).toBe('"one"');
      break;
    }
  }
});

async function deliver(token: string, payload: unknown): Promise<void> {
  const { status } = await system.http.post(`/api/webhooks/incoming/${token}`, payload);
  expect(status).toBe(200);
}
