import { randomUUID } from 'node:crypto';
import type { TableReply } from '@mneme/contracts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  acknowledge,
  createTableWebhook,
  createWebhook,
  deliver,
  incomingPath,
  logsOf,
  rowsOf,
  type TableWebhook,
  tableOf,
  webhookOf,
  webhooksOf,
} from '../system/deliveries.ts';
import { newPerson, type Person, refusal } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const webhookFields = [
  ...['id', 'project_id', 'table_id', 'name', 'token', 'token_prefix', 'is_active', 'verification', 'deduplicate'],
  ...['created_by', 'created_at'],
];

let system: SharedSystem;
let ana: Person;
let webhooksPath: string;
beforeAll(async () => {
  system = await shareSystem();
  return system.release;
});
beforeEach(async () => {
  ana = await newPerson(system.http);
  webhooksPath = `/api/v3/projects/${ana.projectId}/webhooks`;
});

describe('creating a webhook', () => {
  test('answers 201 with the record and its address, and deliveries are taken there at once', async () => {
    const { status, body, headers } = await ana.http.post(webhooksPath, { name: ' Orders ' });
    expect([status, headers.get('x-event-position')]).toEqual([201, expect.stringMatching(/^WEBHOOKS:\d+$/)]);
    expect(Object.keys(body).sort()).toEqual([...webhookFields, 'url'].sort());
    expect(body).toMatchObject({
      id: expect.any(Number),
      project_id: ana.projectId,
      table_id: null,
      name: 'Orders',
      is_active: 1,
      token: expect.stringMatching(/^[a-z\d]{32}$/),
      token_prefix: body.token.slice(0, 8),
      verification: { type: 'none' },
      deduplicate: false,
      created_by: ana.userId,
      created_at: expect.stringMatching(isoTime),
      url: `${system.http.url}${incomingPath(body)}`,
    });
    const answer = await deliver(system.http, body, '{"a":1}');
    expect([answer.status, answer.body]).toEqual([200, { message: 'Webhook received' }]);
  });

  test('can make a table with the default columns, whose name is in lower case and without white space', async () => {
    const { table_id } = await createTableWebhook(ana, { newTableName: ' My \t Big\nORDERS 1' });
    expect(await tableOf(ana, table_id)).toEqual({
      id: table_id,
      project_id: ana.projectId,
      name: '_my_big_orders_1',
      display_name: expect.any(String),
      columns: [
        { column_name: 'received_at', display_name: expect.any(String), type: 'datetime', order_index: 0 },
        { column_name: 'source_ip', display_name: expect.any(String), type: 'text', order_index: 1 },
        { column_name: 'raw_payload', display_name: expect.any(String), type: 'longtext', order_index: 2 },
      ],
      row_count: 0,
      created_at: expect.stringMatching(isoTime),
    });
  });

  test('makes up a name where none is given', async () => {
    const before = Date.now();
    for (const newTableName of [undefined, null, '']) {
      const { table_id } = await createTableWebhook(ana, { newTableName });
      const [, time] = /^webhook_(\d+)(_\d+)?$/.exec((await tableOf(ana, table_id)).name) ?? [];
      expect(Number(time)).toBeGreaterThanOrEqual(Math.floor(before / 1_000));
    }
  });

  test('can take a table that is there, which another webhook may have too; a new one wins over it', async () => {
    const { body: table } = await ana.http.post<TableReply>(`/api/v3/projects/${ana.projectId}/tables`, {
      name: 'Shared',
      columns: [{ column_name: 'total', type: 'number' }],
    });
    const [one, two] = [
      await createWebhook(ana, { tableId: table.id }),
      await createWebhook(ana, { tableId: table.id }),
    ];
    expect([one.table_id, two.table_id]).toEqual([table.id, table.id]);
    await acknowledge(system.http, one, '{"total":1}');
    await acknowledge(system.http, two, '{"total":2}');
    expect((await rowsOf(ana, table.id)).map(({ values }) => values.total)).toEqual([2, 1]);
    const both = await createTableWebhook(ana, { tableId: table.id, newTableName: 'Own' });
    expect((await tableOf(ana, both.table_id)).name).toBe('own');
    expect(await createTableWebhook(ana, { tableId: 987_654 })).toMatchObject({ table_id: expect.any(Number) });
  });

  test('does not take a table that is not there or in another project', async () => {
    const { body: project } = await ana.http.post('/api/v3/projects', { name: 'Other', space_id: ana.spaceId });
    const { table_id } = await createTableWebhook({ ...ana, projectId: project.id });
    for (const tableId of [table_id, 987_654_321]) {
      const answer = await ana.http.post(webhooksPath, { name: 'A', tableId });
      expect(answer).toMatchObject(refusal(404, 'NOT_FOUND', 'Table not found'));
    }
    expect(await webhooksOf(ana)).toEqual([]);
  });

  test('with an Idempotency-Key is done once, and with another body refused', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const send = (name: string) => ana.http.post(webhooksPath, { name, createNewTable: true }, headers);
    const answers = [await send('Once'), await send('Once')];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect((await send('Twice')).status).toBe(409);
    expect(await webhooksOf(ana)).toHaveLength(1);
  });
});

describe('changing a webhook', () => {
  test('renames it and keeps the rest', async () => {
    const { url, ...record } = await createTableWebhook(ana);
    const { status, body, headers } = await ana.http.patch(`/api/v3/webhooks/${record.id}`, { name: ' Renamed ' });
    expect([status, body]).toEqual([200, { ...record, name: 'Renamed' }]);
    expect(headers.get('x-event-position')).toMatch(/^WEBHOOKS:\d+$/);
    expect(await webhookOf(ana, record.id)).toMatchObject({ name: 'Renamed', token: record.token });
    expect(await ana.http.patch(`/api/v3/webhooks/${record.id}`, {})).toMatchObject({
      status: 200,
      body: { name: 'Renamed' },
    });
  });

  test('deactivating refuses the next delivery, on every gateway; activating takes it again', async () => {
    const webhook = await createWebhook(ana);
    const other = await system.addGateway();
    const path = `/api/v3/webhooks/${webhook.id}`;
    for (let round = 0; round < 5; round++) {
      for (const http of [system.http, other.http]) await acknowledge(http, webhook, '{}');
      expect(await ana.http.patch(path, { isActive: false })).toMatchObject({ status: 200, body: { is_active: 0 } });
      const refused = await Promise.all([system.http, other.http].map((http) => deliver(http, webhook, '{}')));
      for (const answer of refused) {
        expect(answer).toMatchObject(refusal(404, 'NOT_FOUND', 'Webhook not found or inactive'));
      }
      expect(await ana.http.patch(path, { isActive: true })).toMatchObject({ status: 200, body: { is_active: 1 } });
    }
    await other.process.kill();
    expect(await logsOf(ana, webhook)).toHaveLength(10);
  });
});

describe('a test delivery', () => {
  let webhook: TableWebhook;
  beforeEach(async () => {
    webhook = await createTableWebhook(ana);
  });

  const path = () => `/api/v3/webhooks/${webhook.id}`;
  const send = (body: unknown) => ana.http.post(`${path()}/test`, body);

  test('is logged and becomes a row, with the given payload or an example', async () => {
    const { status, body, headers } = await send({ payload: { order: 7 } });
    expect([status, body]).toEqual([200, { message: 'Test delivery received' }]);
    expect(headers.get('x-event-position')).toMatch(/^WEBHOOKS:\d+$/);
    expect((await send({})).status).toBe(200);
    const logs = await logsOf(ana, webhook);
    expect(logs).toMatchObject([
      { status: 'processed', source_ip: 'test' },
      { status: 'processed', source_ip: 'test', payload: '{"order":7}' },
    ]);
    expect(JSON.parse(logs[0]?.payload ?? '')).toMatchObject({ test: true, sent_at: expect.any(String) });
    expect(await rowsOf(ana, webhook.table_id)).toHaveLength(2);
  });

  test('needs no signature, and an Idempotency-Key makes it one delivery', async () => {
    const verification = { type: 'github', secret: 'a secret' };
    expect((await ana.http.patch(path(), { verification })).status).toBe(200);
    const once = { 'idempotency-key': 'once' };
    for (let round = 0; round < 2; round++) {
      expect((await ana.http.post(`${path()}/test`, { payload: 1 }, once)).status).toBe(200);
    }
    expect(await logsOf(ana, webhook)).toHaveLength(1);
  });

  test('to an inactive webhook is refused, and says so', async () => {
    await ana.http.patch(path(), { isActive: false });
    expect(await send({})).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('activate it first') },
    });
    expect(await logsOf(ana, webhook)).toEqual([]);
  });

  test('is refused when its payload is larger than that of a sender may be', async () => {
    expect((await send({ payload: 'x'.repeat(1_100_000) })).status).toBe(413);
    expect((await send([])).status).toBe(422);
    expect(await logsOf(ana, webhook)).toEqual([]);
  });
});

test('one webhook is read as it is listed', async () => {
  const webhook = await createTableWebhook(ana);
  const { status, body } = await ana.http.get(`/api/v3/webhooks/${webhook.id}`);
  expect(status).toBe(200);
  expect(await webhookOf(ana, webhook.id)).toMatchObject(body);
});
