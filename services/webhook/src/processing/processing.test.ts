import { defaultColumns, type WebhookEvent, webhookEvents, webhookStream, webhookSubjects } from '@mneme/contracts';
import { decodeEvent, ensureStream, openEraser, openLog, type Recorded, readUpTo } from '@mneme/event-store';
import { useTestMongo } from '@mneme/read-models/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import { createAggregates } from '../aggregates.ts';
import { readColumns } from '../flatten/payload-columns.ts';
import { webhookDeleted as deleted, newWebhook } from '../testing/webhook-events.ts';
import { useWebhookLog } from '../testing/webhook-log.ts';
import { createProcessing } from './processing.ts';

const stream = webhookStream.name;
const table = webhookSubjects.table(3);
const deliveries = webhookSubjects.deliveries(7);

const log = useWebhookLog();
const mongo = useTestMongo();
let version = 0;

const columns = [...defaultColumns];
const tableCreated: WebhookEvent = {
  type: 'TableCreated',
  data: { tableId: 3, projectId: 2, name: 'orders', displayName: 'Orders', columns, createdBy: 4, commandId: 'c' },
};
const webhookCreated: WebhookEvent = { type: 'WebhookCreated', data: newWebhook() };
const { name, verification, isActive, tokenHash } = newWebhook();
const deduplicating: WebhookEvent = {
  type: 'WebhookChanged',
  data: { webhookId: 7, tokenHash, name, isActive, verification, deduplicate: true },
};
const received = (payload = '{"a":1}'): WebhookEvent => ({
  type: 'CallReceived',
  data: new TextEncoder().encode(payload),
});
const named = [received(), { deliveryid: 'd' }] as const;
const replayed = (deliveryId: number, replay: number | null = null): WebhookEvent => ({
  type: 'CallReplayed',
  data: { webhookId: 7, callId: deliveryId, replay },
});
const a = { columnName: 'a', displayName: 'a', type: 'number' } as const;
const processed = (deliveryId: number, error: string | null = null) => ({
  callId: deliveryId,
  webhookId: 7,
  error,
  replay: null,
});
const remembered = { _id: 7, tableId: 3, deduplicate: false, isDeleted: false };

type Given = WebhookEvent | readonly [WebhookEvent, Readonly<Record<string, string>>];

/** Appends the events to an empty log, from sequence 1 on. */
async function append(events: readonly Given[]): Promise<void> {
  const { streams } = await jetstreamManager(log.connection);
  await streams.delete(stream).catch(() => undefined);
  await ensureStream(log.connection, { ...webhookStream, replicas: 1 });
  for (const each of events) {
    const [event, attributes] = 'type' in each ? [each, {}] : each;
    await log.store.append(subjectOf(event), [event], 'any', { correlationId: 'test', attributes });
  }
}

function subjectOf({ type }: WebhookEvent): string {
  if (type === 'TableCreated') return table;
  return type === 'CallReceived' || type === 'CallReplayed' ? deliveries : webhookSubjects.webhook(7);
}

/** Applies all events in the log that the processing uses to a new version, `batchSize` of them at a time. */
async function applyAll(batchSize: number) {
  version += 1;
  const { client } = mongo;
  const { connection, store } = log;
  const db = client.db('test');
  const payloads = { read: async (payload: string) => readColumns(payload), close: async () => undefined };
  const [eraser, aggregates] = [openEraser(connection, stream), createAggregates(connection)];
  const { types, ...definition } = createProcessing({ connection, store, eraser, client, db, aggregates, payloads });
  const events = (await wholeLog()).filter(({ type }) => types.includes(type));
  const { create, apply, contents } = definition.store(version, definition.form);
  await create();
  for (let from = 0; from < events.length; from += batchSize) {
    await apply(
      { events: events.slice(from, from + batchSize), lanes: [], assertHeld: () => undefined },
      (_upTo, write) => client.withSession((session) => session.withTransaction(() => write(session))),
    );
  }
  return contents;
}

async function wholeLog(): Promise<Recorded<WebhookEvent>[]> {
  const events: Recorded<WebhookEvent>[] = [];
  const range = { subject: 'webhooks.>', from: 1, upTo: await log.store.head() };
  for await (const messages of readUpTo(openLog(log.connection, stream), range)) {
    events.push(...messages.map((message) => decodeEvent(webhookEvents, message)));
  }
  return events;
}

/** What is remembered once the events are processed, and which events were appended for it. */
async function given(events: readonly Given[], batchSize = 100) {
  await append(events);
  const last = await log.store.head();
  const { webhooks, tables, senderDeliveries } = await applyAll(batchSize);
  const appended = (await log.store.load(table)).events.filter(({ position }) => position.sequence > last);
  return {
    webhook: await webhooks.findOne({ _id: 7 }),
    table: await tables.findOne({ _id: 3 }),
    senderDeliveries: await senderDeliveries.countDocuments({ webhookId: 7 }),
    appended: appended.map(({ type, data }) => ({ type, data }) as WebhookEvent),
    deliveries: (await log.store.load(deliveries)).events.map(({ position }) => position.sequence),
  };
}

it('a webhook is remembered as it is now, also when it is deleted', async () => {
  const events = [tableCreated, webhookCreated];
  expect(await given(events)).toMatchObject({ webhook: remembered, table: null, appended: [] });
  expect((await given([...events, deduplicating])).webhook).toEqual({ ...remembered, deduplicate: true });
  expect((await given([...events, deleted])).webhook).toEqual({ ...remembered, isDeleted: true });
});

it('a delivery is processed, and the table is remembered as it is after that', async () => {
  expect(await given([tableCreated, webhookCreated, received()])).toMatchObject({
    appended: [{ type: 'CallsProcessed', data: { tableId: 3, upTo: 3, newColumns: [a], calls: [processed(3)] } }],
    table: { _id: 3, columns: [...columns, a], upTo: 3, revision: 4 },
    senderDeliveries: 0,
  });
});

it('deliveries of one batch have one outcome event, those of two batches two', async () => {
  const events = [tableCreated, webhookCreated, received(), received('no JSON')];
  const first = { tableId: 3, upTo: 3, newColumns: [a], calls: [processed(3)] };
  const failed = processed(4, expect.any(String));
  expect((await given(events)).appended).toEqual([
    { type: 'CallsProcessed', data: { ...first, upTo: 4, calls: [...first.calls, failed] } },
  ]);
  expect((await given(events, 1)).appended).toEqual([
    { type: 'CallsProcessed', data: first },
    { type: 'CallsProcessed', data: { tableId: 3, upTo: 4, newColumns: [], calls: [failed] } },
  ]);
});

it.each([1, 100])("a delivery whose sender's id was seen is not processed, in batches of %s", async (batchSize) => {
  const { appended, senderDeliveries } = await given(
    [tableCreated, webhookCreated, named, deduplicating, named, named],
    batchSize,
  );
  const outcomes = appended.flatMap((event) => (event.type === 'CallsProcessed' ? event.data.calls : []));
  expect([outcomes.map(({ callId }) => callId), senderDeliveries]).toEqual([[3, 5], 1]);
});

it('a replayed delivery is processed again, unless it is not in the log any more', async () => {
  const events = [tableCreated, webhookCreated, received(), replayed(3, 9), replayed(1)];
  const outcomes = [processed(3), { ...processed(3), replay: 9 }];
  expect((await given(events)).appended).toEqual([
    { type: 'CallsProcessed', data: { tableId: 3, upTo: 4, newColumns: [a], calls: outcomes } },
  ]);
});

it('a delivery that comes after the deletion is erased, and none of the webhook is processed any more', async () => {
  const { appended, deliveries } = await given([tableCreated, webhookCreated, received(), deleted, received()]);
  expect([appended, deliveries]).toEqual([[], [3]]);
});

it('events that are processed again, without what was remembered, append nothing', async () => {
  const before = await given([tableCreated, webhookCreated, received(), received()]);
  const head = await log.store.head();
  const { tables } = await applyAll(1);
  expect(await log.store.head()).toBe(head);
  expect(await tables.findOne({ _id: 3 })).toEqual(before.table);
});
