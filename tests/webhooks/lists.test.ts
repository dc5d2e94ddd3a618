import type { DeliveryList, TableReply } from '@mneme/contracts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  acknowledge,
  createTableWebhook,
  createWebhook,
  defaultColumns,
  logsOf,
  rowsOf,
  textOf,
  webhooksOf,
} from '../system/deliveries.ts';
import { newPerson, type Person, refusal } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { tokenOf } from '../system/tokens.ts';
import { followDeliveries } from './delivery-events.ts';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const logFields = ['id', 'webhook_id', 'payload', 'source_ip', 'status', 'created_at', 'processed_at', 'error_message'];

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

describe('the list', () => {
  test('is newest first, each with its table, its 5 newest deliveries, their number and the time of the last', async () => {
    const first = await createTableWebhook(ana, { name: 'First', newTableName: 'First table' });
    const second = await createWebhook(ana, { name: 'Second' });
    for (let n = 1; n <= 7; n++) await acknowledge(system.http, first, JSON.stringify({ n }));
    const [newest, oldest, ...others] = await webhooksOf(ana);
    expect(others).toEqual([]);
    const unused = { table_name: null, table_display_name: null, recentLogs: [], totalCalls: 0, lastTriggered: null };
    expect(newest).toEqual({ ...second, ...unused });
    expect(oldest).toMatchObject({
      id: first.id,
      token: first.token,
      table_name: 'first_table',
      table_display_name: 'first_table',
      totalCalls: 7,
      lastTriggered: oldest?.recentLogs[0]?.created_at,
    });
    expect(oldest?.recentLogs.map(({ payload }) => JSON.parse(payload).n)).toEqual([7, 6, 5, 4, 3]);
    expect(oldest?.recentLogs).toEqual((await logsOf(ana, first)).slice(0, 5));
  });

  test('is empty for a project without webhooks, and 404 for one that is not there', async () => {
    expect(await ana.http.get(webhooksPath)).toMatchObject({ status: 200, body: [] });
    const gone = '/api/v3/projects/987654321/webhooks';
    expect(await ana.http.get(gone)).toMatchObject(refusal(404, 'NOT_FOUND', 'Project not found'));
    expect(await ana.http.post(gone, { name: 'A' })).toMatchObject(refusal(404, 'NOT_FOUND', 'Project not found'));
  });
});

describe('logs', () => {
  test('are pages, newest first, with the true total', async () => {
    const webhook = await createWebhook(ana);
    for (let n = 1; n <= 60; n++) await acknowledge(system.http, webhook, String(n));
    const read = async (query: string) => {
      const { body } = await ana.http.get<DeliveryList>(`/api/v3/webhooks/${webhook.id}/logs${query}`);
      return [body.pagination, body.logs.map(({ payload }) => Number(payload))];
    };
    const down = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);
    expect(await read('')).toEqual([{ total: 60, limit: 50, offset: 0, next_offset: 50 }, down(60, 50)]);
    expect(await read('?limit=7&offset=50')).toEqual([
      { total: 60, limit: 7, offset: 50, next_offset: 57 },
      down(10, 7),
    ]);
    expect(await read('?limit=1000&offset=60')).toEqual([
      { total: 60, limit: 1_000, offset: 60, next_offset: null },
      [],
    ]);
  });

  test('say what became of each delivery: without a table it stays received, with one it is a row', async () => {
    const [plain, linked] = [await createWebhook(ana), await createTableWebhook(ana)];
    for (const webhook of [plain, linked]) await acknowledge(system.http, webhook, '{"a":1}');
    const [[received], [processed]] = [await logsOf(ana, plain), await logsOf(ana, linked)];
    for (const log of [received, processed]) {
      expect(Object.keys(log ?? {}).sort()).toEqual(logFields.toSorted());
      expect(log).toMatchObject({ payload: '{"a":1}', source_ip: '127.0.0.1', error_message: null });
      expect(log?.created_at).toMatch(isoTime);
    }
    expect(received).toMatchObject({ webhook_id: plain.id, status: 'received', processed_at: null });
    expect(processed).toMatchObject({ webhook_id: linked.id, status: 'processed' });
    expect(processed?.processed_at).toMatch(isoTime);
    const [row, ...others] = await rowsOf(ana, linked.table_id);
    expect(others).toEqual([]);
    expect(row?.values).toMatchObject({ received_at: processed?.created_at, raw_payload: '{"a":1}', a: 1 });
  });

  test('can be those of one status', async () => {
    const webhook = await createTableWebhook(ana);
    const tooDeep = `${'['.repeat(200)}${']'.repeat(200)}`;
    for (const payload of ['1', tooDeep, '2', tooDeep, '3']) await acknowledge(system.http, webhook, payload);
    const read = async (query: string) => {
      const { body } = await ana.http.get<DeliveryList>(`/api/v3/webhooks/${webhook.id}/logs?${query}`);
      return [body.pagination.total, body.logs.map(({ payload }) => payload)];
    };
    expect(await read('status=error')).toEqual([2, [tooDeep, tooDeep]]);
    expect(await read('status=processed')).toEqual([3, ['3', '2', '1']]);
    expect(await read('status=processed&limit=1&offset=1')).toEqual([3, ['2']]);
    expect(await read('status=received')).toEqual([0, []]);
  });

  test('wait for what had been received when they were asked', async () => {
    const webhook = await createTableWebhook(ana);
    for (let n = 0; n < 20; n++) {
      await acknowledge(system.http, webhook, String(n));
      const { body } = await ana.http.get<DeliveryList>(`/api/v3/webhooks/${webhook.id}/logs?limit=1`);
      expect(body.logs[0]).toMatchObject({ payload: String(n), status: 'processed' });
    }
  });
});

describe('tables', () => {
  test('are made with columns, listed newest first, and read', async () => {
    const path = `/api/v3/projects/${ana.projectId}/tables`;
    const columns = [
      { column_name: 'total', display_name: 'Total', type: 'number' },
      { column_name: 'at', type: 'datetime' },
    ];
    const first = await ana.http.post<TableReply>(path, { name: 'My Orders', columns });
    expect([first.status, first.body.name]).toEqual([201, 'my_orders']);
    expect(first.body.columns.map((column) => [column.column_name, column.display_name, column.type])).toEqual([
      ['total', 'Total', 'number'],
      ['at', 'at', 'datetime'],
    ]);
    const second = await ana.http.post<TableReply>(path, { name: 'my orders' });
    expect(second.body.name).toBe('my_orders_2');
    expect((await ana.http.get(path)).body).toEqual([second.body, first.body]);
    expect((await ana.http.get(`/api/v3/tables/${first.body.id}`)).body).toEqual(first.body);
  });

  test('with two columns of one name are 422', async () => {
    const columns = ['total', 'at', 'total'].map((column_name) => ({ column_name, type: 'text' }));
    const answer = await ana.http.post(`/api/v3/projects/${ana.projectId}/tables`, { name: 'Twice', columns });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('Columns should have different names');
  });

  test('that were made with other columns have the default ones in front of them, in rows and files', async () => {
    const columns = [{ column_name: 'total', type: 'number' }];
    const made = await ana.http.post<TableReply>(`/api/v3/projects/${ana.projectId}/tables`, { name: 'Own', columns });
    const webhook = await createWebhook(ana, { tableId: made.body.id });
    await acknowledge(system.http, webhook, '{"total":1.50}');
    const [row] = await rowsOf(ana, made.body.id);
    const names = [...defaultColumns, 'total'];
    expect(Object.keys(row?.values ?? {})).toEqual(names);
    const [header, line] = (await textOf(ana, `/api/v3/tables/${made.body.id}/rows.csv`)).split('\r\n');
    expect(header).toBe(names.join(','));
    expect(line).toMatch(/,1\.50$/);
  });

  test('have pages of rows in both orders', async () => {
    const webhook = await createTableWebhook(ana);
    for (let n = 1; n <= 5; n++) await acknowledge(system.http, webhook, JSON.stringify({ n }));
    const read = async (query: string) => {
      const { body } = await ana.http.get(`/api/v3/tables/${webhook.table_id}/rows${query}`);
      const { rows, ...page } = body;
      return [page, rows.map(({ values }: { values: { n: number } }) => values.n)];
    };
    expect(await read('')).toEqual([{ total: 5, limit: 100, offset: 0, next_offset: null }, [5, 4, 3, 2, 1]]);
    expect(await read('?limit=2&offset=1&order=asc')).toEqual([
      { total: 5, limit: 2, offset: 1, next_offset: 3 },
      [2, 3],
    ]);
    for (const query of ['order=up', 'limit=0', 'limit=1001', 'offset=-1']) {
      expect((await ana.http.get(`/api/v3/tables/${webhook.table_id}/rows?${query}`)).status, query).toBe(422);
    }
  });
});

describe('the live stream', () => {
  test('brings each delivery once, when it is processed, as it is in the logs', async () => {
    const [webhook, other] = [await createTableWebhook(ana), await createWebhook(ana)];
    await acknowledge(system.http, webhook, '"before"');
    const events = await followDeliveries(ana, webhook.id);
    expect(events.contentType).toMatch(/^text\/event-stream/);
    for (let n = 0; n < 5; n++) {
      await acknowledge(system.http, other, '"of another"');
      await acknowledge(system.http, webhook, `{"n":${n},\n"big":9007199254740993}`);
    }
    const taken = await events.take(5);
    await events.close();
    const logs = (await logsOf(ana, webhook)).slice(0, 5).toReversed();
    expect(taken.map(({ delivery }) => delivery)).toEqual(logs);
    expect(taken.map(({ id }) => id)).toEqual(logs.map(({ id }) => String(id)));
    expect(new Set(logs.map(({ status }) => status))).toEqual(new Set(['processed']));
  });

  test('goes on behind Last-Event-ID, without a gap and without a repetition, on any gateway', async () => {
    const webhook = await createWebhook(ana);
    const first = await followDeliveries(ana, webhook.id, '0');
    for (const n of [1, 2, 3]) await acknowledge(system.http, webhook, String(n));
    const [one, two] = await first.take(2);
    await first.close();
    for (const n of [4, 5]) await acknowledge(system.http, webhook, String(n));
    const gateway = await system.addGateway();
    const there = { ...ana, http: gateway.http.as(tokenOf(ana.userId)) };
    const second = await followDeliveries(there, webhook.id, two?.id);
    await acknowledge(system.http, webhook, '6');
    const taken = await second.take(4);
    await second.close();
    await gateway.process.kill();
    expect([one, two, ...taken].map((event) => event?.delivery.payload)).toEqual(['1', '2', '3', '4', '5', '6']);
  });
});

describe('exports', () => {
  test('are written as a whole, whatever the pages are, the oldest row first', async () => {
    const webhook = await createTableWebhook(ana, { newTableName: 'Grüße' });
    const count = 550;
    for (let n = 0; n < count; n += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          acknowledge(system.http, webhook, `{"n":${n + index},"${'x'.repeat(200)}":"${'y'.repeat(400)}"}`),
        ),
      );
    }
    const path = `/api/v3/tables/${webhook.table_id}/rows`;
    const rows = (await rowsOf(ana, webhook.table_id)).toReversed();
    expect(rows).toHaveLength(count);
    expect(JSON.parse(await textOf(ana, `${path}.json`))).toEqual(rows);
    const [header, ...lines] = (await textOf(ana, `${path}.csv`)).trimEnd().split('\r\n');
    expect(header?.startsWith('received_at,source_ip,raw_payload,n,')).toBe(true);
    expect(lines.map((line) => Number(/,(\d+),y+$/.exec(line)?.[1]))).toEqual(rows.map(({ values }) => values.n));
    const { headers } = await ana.http.get(`${path}.csv`);
    expect(headers.get('content-length')).toBeNull();
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
    expect(headers.get('content-disposition')).toContain("filename*=UTF-8''gr%C3%BC%C3%9Fe.csv");
  });
});
