import { defineEvent, eventCatalog, webhookStream, webhookSubjects } from '@mneme/contracts';
import { connectEventStore } from '@mneme/event-store';
import { jetstreamManager } from '@nats-io/jetstream';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type Aggregates, createAggregates } from './aggregates.ts';
import { newWebhook } from './testing/webhook-events.ts';
import { useWebhookLog } from './testing/webhook-log.ts';

const context = { correlationId: 'test' };
const stream = webhookStream.name;

const webhooks = useWebhookLog();
let aggregates: Aggregates;
beforeAll(() => {
  aggregates = createAggregates(webhooks.connection);
});

const create = (webhookId: number, tableId: number | null) => {
  const data = newWebhook({ webhookId, tableId });
  return webhooks.store.append(webhookSubjects.webhook(webhookId), [{ type: 'WebhookCreated', data }], 0, context);
};

it('a webhook belongs to its table, and is alone without one', async () => {
  await create(1, 3);
  await create(2, null);
  expect(await Promise.all([1, 2, 99].map(aggregates.ofWebhook))).toEqual(['t3', 'w2', 'w99']);
});

it('a webhook is looked up anew in a log that was restored', async () => {
  await create(21, 3);
  expect(await aggregates.ofWebhook(21)).toBe('t3');
  const { streams } = await jetstreamManager(webhooks.connection);
  await streams.purge(stream, { filter: webhookSubjects.webhook(21) });
  await create(21, 8);
  expect(await aggregates.ofWebhook(21)).toBe('t3');
  aggregates.lanes.forget?.();
  expect(await aggregates.ofWebhook(21)).toBe('t8');
});

it('a webhook whose first message cannot be read is alone', async () => {
  await webhooks.connection.request(webhookSubjects.webhook(5), 'no event at all');
  expect(await aggregates.ofWebhook(5)).toBe('w5');
  expect(await aggregates.ofSubject(webhookSubjects.deliveries(5))).toBe('w5');
});

it('a webhook that a newer release has created belongs to the same table as it does there', async () => {
  const later = { version: 2, upcasters: { 1: (data: unknown) => data } };
  const fields = { webhookId: z.number(), tableId: z.number().nullable(), region: z.string() };
  const newer = eventCatalog([defineEvent('WebhookCreated', fields, later), defineEvent('WebhookMoved', fields)]);
  const store = connectEventStore({ connection: webhooks.connection, stream, catalog: newer, source: 'test' });
  const append = (webhookId: number, type: 'WebhookCreated' | 'WebhookMoved', tableId: number | null) => {
    const data = { webhookId, tableId, region: 'eu' };
    return store.append(webhookSubjects.webhook(webhookId), [{ type, data }], 0, context);
  };
  await append(11, 'WebhookCreated', 4);
  await append(12, 'WebhookCreated', null);
  await append(13, 'WebhookMoved', 4);
  expect(await Promise.all([11, 12, 13].map(aggregates.ofWebhook))).toEqual(['t4', 'w12', 'w13']);
});
