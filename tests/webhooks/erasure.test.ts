import { beforeAll, beforeEach, expect, test } from 'vitest';
import { acknowledge, createWebhook, deliver, logsOf, webhooksOf } from '../system/deliveries.ts';
import { eventually } from '../system/eventually.ts';
import { newPerson, type Person, refusal } from '../system/person.ts';
import type { System } from '../system/start-system.ts';
import { placesOf } from '../system/stores/store-search.ts';
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

test('a kept Idempotency-Key does not bring back what a deleted webhook received', async () => {
  const webhook = await createWebhook(ana);
  await acknowledge(system.http, webhook, '"saffron"');
  const [log] = await logsOf(ana, webhook);
  const path = `/api/v3/webhooks/${webhook.id}/logs/${log?.id}/replay`;
  const replay = () => ana.http.post(path, undefined, { 'idempotency-key': 'once' });
  const first = await replay();
  expect([first.status, first.body]).toEqual([200, log]);
  const again = await replay();
  expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([200, log, 'true']);
  expect((await remove(webhook.id)).status).toBe(200);
  expect(await replay()).toMatchObject(refusal(404, 'NOT_FOUND', 'Webhook not found'));
});

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
