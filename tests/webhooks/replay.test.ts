import type { DeliveryReply, ReplayReply } from '@mneme/contracts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  acknowledge,
  createTableWebhook,
  createWebhook,
  logsOf,
  rowsOf,
  type TableWebhook,
  tableOf,
} from '../system/deliveries.ts';
import { eventually } from '../system/eventually.ts';
import { newPerson, type Person, refusal } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

let system: SharedSystem;
let ana: Person;
let webhook: TableWebhook;
let path: string;
beforeAll(async () => {
  system = await shareSystem();
  return system.release;
});
beforeEach(async () => {
  ana = await newPerson(system.http);
  webhook = await createTableWebhook(ana);
  path = `/api/v3/webhooks/${webhook.id}`;
});

const send = (payload: string) => acknowledge(system.http, webhook, payload);
const tooDeep = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`;

describe('replaying one delivery', () => {
  test('replaces its row, which is not doubled, and the log follows', async () => {
    for (const n of [1, 2, 3]) await send(JSON.stringify({ n }));
    const rows = await rowsOf(ana, webhook.table_id);
    const [, log] = await logsOf(ana, webhook);
    for (let time = 0; time < 2; time++) {
      const { status, body, headers } = await ana.http.post<DeliveryReply>(`${path}/logs/${log?.id}/replay`, {});
      expect([status, headers.get('x-event-position')]).toEqual([200, expect.stringMatching(/^WEBHOOKS:\d+$/)]);
      expect(body).toEqual({ ...log, processed_at: expect.any(String) });
      expect(Date.parse(body.processed_at ?? '')).toBeGreaterThan(Date.parse(log?.processed_at ?? ''));
      expect((await logsOf(ana, webhook))[1]).toEqual(body);
    }
    expect(await rowsOf(ana, webhook.table_id)).toEqual(rows);
    expect(await tableOf(ana, webhook.table_id)).toMatchObject({ row_count: 3 });
  });

  test('of a webhook without a table changes nothing', async () => {
    const plain = await createWebhook(ana);
    await acknowledge(system.http, plain, '{}');
    const [log] = await logsOf(ana, plain);
    expect((await ana.http.post(`/api/v3/webhooks/${plain.id}/logs/${log?.id}/replay`, {})).status).toBe(200);
    expect(await logsOf(ana, plain)).toEqual([log]);
  });

  test('of another webhook, or none, is not found', async () => {
    const other = await createTableWebhook(ana);
    await acknowledge(system.http, other, '{}');
    const [log] = await logsOf(ana, other);
    for (const id of [log?.id, 987_654_321]) {
      const answer = await ana.http.post(`${path}/logs/${id}/replay`, {});
      expect(answer).toMatchObject(refusal(404, 'NOT_FOUND', 'Webhook log not found'));
    }
  });
});

describe('replaying many deliveries', () => {
  const replay = async (body: object) => {
    const answer = await ana.http.post<ReplayReply>(`${path}/replay`, body);
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const done = () =>
    eventually('the replay is done', async () => {
      const { body } = await ana.http.get<ReplayReply>(`${path}/replay`);
      return body.is_done && body;
    });

  test('unless told otherwise is of those that failed', async () => {
    await send('{"a":1}');
    for (let n = 0; n < 3; n++) await send(tooDeep);
    await replay({});
    expect(await done()).toMatchObject({ calls: 3, processed: 0, failed: 3 });
    expect((await logsOf(ana, webhook)).map(({ status }) => status)).toEqual(['error', 'error', 'error', 'processed']);
  });

  test('since a time leaves out what came before it', async () => {
    for (const n of [1, 2, 3]) await send(JSON.stringify({ n }));
    const logs = await logsOf(ana, webhook);
    await replay({ status: 'processed', since: logs[1]?.created_at });
    const later = logs.filter(({ created_at }) => created_at >= (logs[1]?.created_at ?? ''));
    expect(await done()).toMatchObject({ calls: later.length, processed: later.length });
    await replay({ status: 'processed', since: '2999-01-01T00:00:00Z' });
    expect(await done()).toMatchObject({ calls: 0, processed: 0, failed: 0 });
  });

  test('goes on beside deliveries that come in', async () => {
    for (let n = 0; n < 50; n++) await send(JSON.stringify({ n }));
    await replay({ status: 'processed' });
    for (let n = 50; n < 80; n++) await send(JSON.stringify({ n }));
    await done();
    const values = (await rowsOf(ana, webhook.table_id)).map((row) => row.values.n);
    expect(values).toEqual(Array.from({ length: 80 }, (_, index) => 79 - index));
  });

  test.each([{ status: 'lost' }, { since: 'yesterday' }, { since: 5 }])('is 422 for %j', async (body) => {
    expect((await ana.http.post(`${path}/replay`, body)).status).toBe(422);
  });
});
