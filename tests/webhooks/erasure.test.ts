import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newPerson, type Person, refusal } from '../access/person.ts';
import { eventually } from '../system/eventually.ts';
import type { System } from '../system/start-system.ts';
import { placesOf } from '../system/store-search.ts';
import {
  acknowledge,
  createTableWebhook,
  createWebhook,
  deliver,
  logsOf,
  rowsOf,
  textOf,
  webhooksOf,
} from './deliveries.ts';
import { startWebhookSystem } from './webhook-system.ts';

let system: System;
let ana: Person;
beforeAll(async () => {
  system = await startWebhookSystem({ LOG_LEVEL: 'trace' });
  return system.stop;
});
beforeEach(async () => {
  ana = await newPerson(system.http);
});

const remove = (id: number) => ana.http.delete(`/api/v3/webhooks/${id}`);

async function expectGone(id: number, token: string): Promise<void> {
  const path = `/api/v3/webhooks/${id}`;
  const answers = [
    await ana.http.get(`${path}/logs`),
    await ana.http.get(`${path}/replay`),
    await ana.http.get(`${path}/logs/stream`, { 'last-event-id': '0' }),
    await ana.http.patch(path, { isActive: true }),
    await remove(id),
  ];
  for (const answer of answers) expect(answer).toMatchObject(refusal(404, 'NOT_FOUND', 'Webhook not found'));
  expect(await deliver(system.http, { token }, '1')).toMatchObject(
    refusal(404, 'NOT_FOUND', 'Webhook not found or inactive'),
  );
  expect((await webhooksOf(ana)).map((webhook) => webhook.id)).not.toContain(id);
}

test('what a deleted webhook received is in no store, no event and no log of a service', async () => {
  const marker = 'saffron-kaleidoscope-51';
  const [webhook, other] = [await createWebhook(ana), await createWebhook(ana)];
  for (let n = 0; n < 30; n++) await acknowledge(system.http, webhook, JSON.stringify({ n, secret: marker }));
  await acknowledge(system.http, other, '"stays"');
  // It is found as long as it is there, so that its absence means something.
  const before = (await placesOf(marker, system.stack)).map((place) => place.split(':')[0]);
  expect(before).toEqual(expect.arrayContaining(['WEBHOOKS']));
  const { status, body, headers } = await remove(webhook.id);
  expect([status, body]).toEqual([200, { message: expect.stringMatching(/deleted/i) }]);
  expect(headers.get('x-event-position')).toMatch(/^WEBHOOKS:\d+$/);
  await expectGone(webhook.id, webhook.token);
  await eventually(
    'nothing is left of it',
    async () => (await placesOf(marker, system.stack)).length === 0,
    60_000,
  ).catch(() => undefined);
  expect(await placesOf(marker, system.stack)).toEqual([]);
  for (const name of ['gateway', 'webhook', 'keys'] as const) {
    expect(system.service(name).output(), name).not.toContain(marker);
    expect(system.service(name).output(), name).not.toContain(webhook.token);
  }
  expect((await logsOf(ana, other)).map(({ payload }) => payload)).toEqual(['"stays"']);
});

test('rows of a deleted webhook stay in their table, also beside those of another webhook', async () => {
  const webhook = await createTableWebhook(ana);
  const other = await createWebhook(ana, { tableId: webhook.table_id });
  for (let n = 0; n < 10; n++) await acknowledge(system.http, n % 2 ? other : webhook, JSON.stringify({ n }));
  await acknowledge(system.http, webhook, `{"failed":${'['.repeat(200)}"quixotic-marmalade"${']'.repeat(200)}}`);
  const rows = await rowsOf(ana, webhook.table_id);
  const csv = await textOf(ana, `/api/v3/tables/${webhook.table_id}/rows.csv`);
  expect(rows).toHaveLength(10);
  expect((await remove(webhook.id)).status).toBe(200);
  await expectGone(webhook.id, webhook.token);
  await eventually(
    'what became no row is gone',
    async () => (await placesOf('quixotic-marmalade', system.stack)).length === 0,
    60_000,
  );
  expect(await rowsOf(ana, webhook.table_id)).toEqual(rows);
  expect(await textOf(ana, `/api/v3/tables/${webhook.table_id}/rows.csv`)).toBe(csv);
  await acknowledge(system.http, other, '{"n":10}');
  expect((await rowsOf(ana, webhook.table_id)).map(({ values }) => values.n)).toEqual([
    10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
  ]);
});

test('deliveries that come while a webhook is deleted leave nothing behind', async () => {
  const marker = 'vermilion-armadillo-77';
  const webhook = await createTableWebhook(ana);
  let isDeleted = false;
  // At a steady rate: each delivery has to be overwritten in the log, so a busy machine must not leave thousands of them.
  const deliverOn = async () => {
    for (; !isDeleted; await pause(20)) {
      await deliver(system.http, webhook, JSON.stringify({ [marker]: marker.repeat(3) }));
    }
  };
  const deliveries = [deliverOn(), deliverOn(), deliverOn()];
  await eventually('some deliveries have come', async () => (await logsOf(ana, webhook)).length > 20);
  // It waits for what has come until then; where that takes longer than 5 s, the caller is asked to try again.
  const removed = await eventually('the webhook is deleted', async () => {
    const answer = await remove(webhook.id);
    return answer.status !== 503 && answer;
  });
  expect(removed.status).toBe(200);
  isDeleted = true;
  await Promise.all(deliveries);
  await expectGone(webhook.id, webhook.token);
  // Rows stay, and with them the events that keep them; what has no row is gone.
  const rows = await rowsOf(ana, webhook.table_id);
  expect(rows.length).toBeGreaterThan(20);
  await eventually(
    'no delivery is left in the log',
    async () => {
      return !(await placesOf(marker, system.stack)).some((place) => place.startsWith('WEBHOOKS: webhooks.call'));
    },
    60_000,
  );
  expect(await rowsOf(ana, webhook.table_id)).toEqual(rows);
});
