import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webhookTokensBucket } from '@mneme/contracts';
import { atFullLength } from '@mneme/local-stack/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { beforeAll, expect, test } from 'vitest';
import {
  acknowledge,
  type CreatedWebhook,
  createTableWebhook,
  createWebhook,
  deliver,
  logsOf,
  textOf,
  webhooksOf,
} from '../system/deliveries.ts';
import { eventually } from '../system/eventually.ts';
import { startNode } from '../system/node-process.ts';
import { newPerson, type Person } from '../system/person.ts';
import type { System } from '../system/start-system.ts';
import { startWebhookSystem } from './webhook-system.ts';

const database = 'mneme_webhook_rebuild';

let system: System;
let nats: NatsConnection;
let ana: Person;
/** By what deliveries to them are answered. */
const webhooks: Record<'open' | 'closed', CreatedWebhook[]> = { open: [], closed: [] };
let tableIds: readonly number[];
let before: readonly string[];

beforeAll(async () => {
  system = await startWebhookSystem({ MONGODB_DATABASE: database });
  nats = await connect({ servers: system.stack.natsUrl });
  ana = await newPerson(system.http);
  tableIds = await doEverything();
  before = await shownNow();
  return async () => {
    await nats.close();
    await system.stop();
  };
});

/** Every kind of event; returns the tables. */
async function doEverything(): Promise<readonly number[]> {
  const orders = await createTableWebhook(ana, { name: 'Orders', newTableName: 'Orders' });
  const second = await createWebhook(ana, { tableId: orders.table_id, verification: { type: 'none' } });
  const once = await createTableWebhook(ana, { newTableName: 'orders', deduplicate: true });
  const [off, ended] = [await createTableWebhook(ana), await createWebhook(ana, { tableId: orders.table_id })];
  const plain = await createWebhook(ana);
  const tables = `/api/v3/projects/${ana.projectId}/tables`;
  const { body: empty } = await ana.http.post(tables, {
    name: 'Empty',
    columns: [{ column_name: 'n', type: 'number' }],
  });
  const payloads = [
    ' {"n":9007199254740993,"huge":1e400, "price":1.10,"a":1,"a":2}\n',
    '{"when":"2024-01-01","link":"https://a","mail":"a@b","ok":true,"list":[1.0],"nothing":null}',
    `{"long":"${'x'.repeat(201)}","a":{"b":{"c":"\\ud800\\u0000"}},"A-B":1,"a b":"é","__proto__":{"x":1}}`,
    '{"received_at":"then","nothing":5,"":0}',
    `{"deep":${'['.repeat(101)}${']'.repeat(101)}}`,
    '"text"',
  ];
  for (const payload of payloads) {
    for (const webhook of [orders, second, once, off, ended, plain]) await acknowledge(system.http, webhook, payload);
  }
  for (const delivery of ['d1', 'd1', 'd2'])
    await deliver(system.http, once, '{"again":1}', { 'webhook-id': delivery });
  const path = (id: number) => `/api/v3/webhooks/${id}`;
  const [newest] = await logsOf(ana, second);
  await ana.http.post(`${path(second.id)}/logs/${newest?.id}/replay`, {});
  await ana.http.post(`${path(orders.id)}/replay`, { status: 'processed' });
  await eventually(
    'the replay is done',
    async () => (await ana.http.get(`${path(orders.id)}/replay`)).body.is_done === true,
  );
  await ana.http.patch(path(off.id), { isActive: false, name: 'Off' });
  await ana.http.delete(path(ended.id));
  webhooks.open.push(orders, second, once, plain);
  webhooks.closed.push(off, ended);
  return [orders.table_id, once.table_id, off.table_id, empty.id];
}

/** All that anybody is shown, character for character. */
async function shownNow(): Promise<readonly string[]> {
  const project = `/api/v3/projects/${ana.projectId}`;
  const ids = [...webhooks.open, ...webhooks.closed.slice(0, 1)].map(({ id }) => id);
  const paths = [
    ...[`${project}/webhooks`, `${project}/tables`],
    ...ids.flatMap((id) => [`/api/v3/webhooks/${id}/logs?limit=1000`, `/api/v3/webhooks/${id}/replay`]),
    ...tableIds.flatMap((id) =>
      ['', '/rows?limit=1000', '/rows.csv', '/rows.json'].map((part) => `/api/v3/tables/${id}${part}`),
    ),
  ];
  return Promise.all(paths.map(async (path) => `${path} ${await textOf(ana, path)}`));
}

async function expectTokens(): Promise<void> {
  const [open, closed] = [webhooks.open, webhooks.closed].map((some) =>
    Promise.all(some.map(async (webhook) => (await deliver(system.http, webhook, '{')).status)),
  );
  // What is no JSON leaves no log, and is looked at after the token.
  expect(await open).toEqual(webhooks.open.map(() => 400));
  expect(await closed).toEqual(webhooks.closed.map(() => 404));
}

test.runIf(atFullLength)(
  'a database and a bucket that were lost are filled from the log: columns, order, types, rows, byte for byte',
  async () => {
    // They keep their read models in the same database here.
    const services = [system.service('webhook'), system.service('keys')];
    await Promise.all(services.map((service) => service.kill()));
    const mongo = await new MongoClient(system.stack.mongodbUrl).connect();
    expect((await mongo.db(database).collections()).length).toBeGreaterThan(0);
    await mongo.db(database).dropDatabase();
    await mongo.close();
    const manager = await jetstreamManager(nats);
    expect(await manager.streams.delete(`KV_${webhookTokensBucket.name}`)).toBe(true);
    await Promise.all(services.map((service) => service.start()));
    expect(await shownNow()).toEqual(before);
    await expectTokens();
    const newest = Math.max(...(await webhooksOf(ana)).map(({ id }) => id));
    expect((await createWebhook(ana)).id).toBeGreaterThan(newest);
  },
);

test.runIf(atFullLength)(
  'webhooks of another system with nothing but a plain token resolve once they are imported',
  async () => {
    const orders = (await webhooksOf(ana)).find(({ name }) => name === 'Orders');
    const tokens = ['legacy0'.padEnd(32, '0'), 'legacy1'.padEnd(32, '1'), 'legacy2'.padEnd(32, '2')] as const;
    const record = { project_id: ana.projectId, name: 'Legacy', created_at: '2021-05-06T07:08:09Z' };
    const records = [
      { ...record, token: tokens[0], table_id: orders?.table_id, is_active: 1, created_by: ana.userId },
      { ...record, token: tokens[1], table_id: null, is_active: 0, token_hash: null },
      { ...record, token: tokens[2] },
    ];
    const refused = [
      { ...record, project_id: 999_999_999, name: 'Astray', token: 'legacy3'.padEnd(32, '3') },
      { ...record, table_id: 999_999_999, token: 'legacy4'.padEnd(32, '4') },
    ];
    const first = await importWebhooks([...refused, ...records]);
    expect(first).toMatchObject({
      code: 1,
      output: expect.stringContaining('3 of 5 webhooks were added, 2 were refused'),
    });
    expect(first.errors).toBe("Line 1, 'Astray': Project not found\nLine 2, 'Legacy': Table not found\n");
    expect(await importWebhooks(records)).toEqual({
      code: 0,
      output: '0 of 3 webhooks were added; the others were there already.\n',
      errors: '',
    });
    const statuses = tokens.map(async (token) => (await deliver(system.http, { token }, '{"n":"legacy"}')).status);
    expect(await Promise.all(statuses)).toEqual([200, 404, 200]);
    const imported = (await webhooksOf(ana)).filter(({ name }) => name === 'Legacy');
    expect(imported.map(({ token }) => token).sort()).toEqual([...tokens]);
    expect(new Set(imported.map(({ created_at }) => created_at))).toEqual(new Set(['2021-05-06T07:08:09.000Z']));
    const row = JSON.parse(await textOf(ana, `/api/v3/tables/${orders?.table_id}/rows?limit=1`)).rows[0];
    expect(row.values.n).toBe('legacy');
    const verification = { type: 'github', secret: 'very-secret-words' };
    const signed = { ...record, name: 'Signed', token: 'legacy5'.padEnd(32, '5'), verification };
    const { code, errors } = await importWebhooks([{ ...record, token: tokens[2], verification }, signed]);
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^Line 1, 'Legacy': .* accepts deliveries that are not signed/),
    ]);
    expect((await deliver(system.http, signed, '{}')).status).toBe(401);
  },
);

/** As an operator does. */
async function importWebhooks(records: readonly object[]) {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  const file = join(folder, 'webhooks.jsonl');
  await writeFile(file, records.map((each) => JSON.stringify(each)).join('\n'));
  const environment = { NATS_URL: system.stack.natsUrl };
  const command = startNode({
    entry: 'packages/cli/src/main.ts',
    parameters: ['webhooks', 'import', file],
    environment,
  });
  const { code } = await command.exited;
  await rm(folder, { recursive: true });
  return { code, output: command.output(), errors: command.errors() };
}
