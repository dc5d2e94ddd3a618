import { type WebhookEventOf, webhook, webhookStream, webhookSubjects } from '@mneme/contracts';
import { deadLetters, type Eraser, openEraser, openLog, purgeSubject, type Recorded } from '@mneme/event-store';
import { atFullLength } from '@mneme/local-stack/testing';
import { headers as createHeaders } from '@nats-io/nats-core';
import { beforeAll, expect, it } from 'vitest';
import { createAggregates } from '../aggregates.ts';
import { processingCollections } from '../processing/state.ts';
import { useWebhookFixture, type WebhookFixture } from '../testing/webhook-fixture.ts';
import { webhookCollections } from '../webhook-rows/rows.ts';
import { type ErasureDeps, maxOverwritten, whenWebhookDeleted } from './when-webhook-deleted.ts';

const fixture = useWebhookFixture();
let service: Awaited<ReturnType<WebhookFixture['start']>>;
beforeAll(async () => {
  service = await fixture.start();
});

const deliveriesInLog = async (webhookId: number) =>
  (await fixture.store.load(webhookSubjects.deliveries(webhookId))).events.length;
const untilErased = (webhookId: number) =>
  expect.poll(() => deliveriesInLog(webhookId), { timeout: 20_000, interval: 100 }).toBe(0);

it('rows that its deliveries became stay in their table, beside those of another webhook', async () => {
  const user = await fixture.withWebhook();
  const { webhookId, tableId } = user;
  const other = await fixture.createWebhook(user, { table: { id: tableId } });
  for (let index = 0; index < 70; index += 1) {
    await fixture.receive(index % 5 ? webhookId : other.id, `{"n": ${index}.0, "t":"\\u00e9"}`);
  }
  const before = await fixture.rowsOf(user.userId, tableId);
  await fixture.call(webhook.deleteWebhook, user);
  expect(await fixture.rowsOf(user.userId, tableId)).toEqual(before);
  await untilErased(webhookId);
  expect(await fixture.rowsOf(user.userId, tableId)).toEqual(before);
  await fixture.call(webhook.rebuild, {});
  expect(await fixture.rowsOf(user.userId, tableId)).toEqual(before);
  expect((await fixture.call(webhook.getTable, user)).row_count).toBe(70);
});

it('rows of deliveries that the log does not hold any more are in an export', async () => {
  const user = await fixture.withWebhook();
  const { webhookId } = user;
  await fixture.receive(webhookId, '{"n":1}');
  await fixture.receive(webhookId, '{"n":2}');
  await fixture.rowsOf(user.userId, user.tableId);
  await fixture.call(webhook.deleteWebhook, user);
  await untilErased(webhookId);
  const { rows } = await fixture.call(webhook.exportRows, { ...user, afterRowId: 0, limit: 10 });
  expect(rows).toHaveLength(2);
});

it.runIf(atFullLength)('an erasure that was interrupted by a crash is completed by the next instance', async () => {
  const { userId, webhookId, tableId } = await fixture.withWebhook();
  await Promise.all(Array.from({ length: 120 }, (_, index) => fixture.receive(webhookId, `{"n":${index}}`)));
  await fixture.call(webhook.deleteWebhook, { userId, webhookId });
  await service.cutOff();
  service = await fixture.start();
  await expect.poll(() => deliveriesInLog(webhookId), { timeout: 60_000, interval: 500 }).toBe(0);
  expect(await fixture.rowsOf(userId, tableId)).toHaveLength(120);
});

it('a delivery that comes after the deletion is no log, and is erased', async () => {
  const { userId, webhookId } = await fixture.withWebhook();
  await fixture.receive(webhookId, '{"n":1}');
  await fixture.call(webhook.deleteWebhook, { userId, webhookId });
  await untilErased(webhookId);
  await fixture.receive(webhookId, '{"late":1}');
  await untilErased(webhookId);
  const { readModel } = await fixture.call(webhook.rebuild, {});
  expect(await fixture.db.collection(`webhook_calls@${readModel.version}`).countDocuments({ webhookId })).toBe(0);
});

it('nothing of it is left in the previous version of the read model', async () => {
  const { userId, webhookId } = await fixture.withWebhook({ table: null });
  await fixture.receive(webhookId, '{"n":1}');
  const { readModel } = await fixture.call(webhook.rebuild, {});
  const versions = [readModel.version - 1, readModel.version].map((version) => webhookCollections(fixture.db, version));
  const counts = () => Promise.all(versions.map(({ deliveries }) => deliveries.countDocuments({ webhookId })));
  expect(await counts()).toEqual([1, 1]);
  await fixture.call(webhook.deleteWebhook, { userId, webhookId });
  await expect.poll(counts, { timeout: 20_000, interval: 100 }).toEqual([0, 0]);
});

it("the senders' delivery ids of a deleted webhook are removed, however many, and those of others stay", async () => {
  const user = await fixture.withWebhook({ deduplicate: true });
  const { webhookId } = user;
  const other = await fixture.createWebhook(user, { deduplicate: true });
  for (const id of [webhookId, other.id]) await fixture.receive(id, '{"n":1}', 'd1');
  await Promise.all([webhookId, other.id].map((id) => fixture.logsOf(user.userId, id)));
  const { readModel } = await fixture.call(webhook.rebuild, {});
  const stores = [webhookCollections(fixture.db, readModel.version), processingCollections(fixture.db, 1)];
  const counts = (id: number) =>
    Promise.all(stores.map(({ senderDeliveries }) => senderDeliveries.countDocuments({ webhookId: id })));
  expect(await counts(webhookId)).toEqual([1, 1]);
  const at = new Date();
  const many = Array.from({ length: 2_500 }, (_, index) => ({ _id: `${webhookId} ${index}`, webhookId, at }));
  for (const { senderDeliveries } of stores) await senderDeliveries.insertMany(many);
  await fixture.call(webhook.deleteWebhook, user);
  await expect.poll(() => counts(webhookId), { timeout: 20_000, interval: 100 }).toEqual([0, 0]);
  expect(await counts(other.id)).toEqual([1, 1]);
});

const unread = () => Promise.reject(new Error('No history is to be read'));

/** The dependencies of an erasure that runs beside the service, and the deletion of a webhook that is not really deleted. */
async function erasureOf(
  webhookId: number,
  change: (eraser: Eraser) => Partial<Eraser>,
  { version = 1, ...more }: Partial<ErasureDeps> & { readonly version?: number } = {},
) {
  const [created] = (await fixture.store.load(webhookSubjects.webhook(webhookId))).events;
  const deletion = { ...created, type: 'WebhookDeleted', data: { webhookId } } as Recorded<
    WebhookEventOf<'WebhookDeleted'>
  >;
  const eraser = openEraser(fixture.connection, webhookStream.name);
  const purged: string[] = [];
  const deps: ErasureDeps = {
    // Only single messages are read; the events of a webhook may be far apart in the log.
    store: { ...fixture.store, load: unread, fold: unread },
    log: openLog(fixture.connection, webhookStream.name),
    eraser: { ...eraser, ...change(eraser) },
    purge: async (subject) => {
      purged.push(subject);
      await purgeSubject(fixture.connection, webhookStream.name, subject);
    },
    deadLetters: deadLetters(fixture.connection),
    readModel: {
      name: 'webhook',
      await: async () => true,
      allContents: () => [webhookCollections(fixture.db, version)],
    },
    processing: {
      name: 'webhook-processing',
      await: async () => true,
      allContents: () => [processingCollections(fixture.db, 1)],
    },
    aggregates: createAggregates(fixture.connection),
    rows: () => webhookCollections(fixture.db, version),
    ...more,
  };
  return { erase: () => whenWebhookDeleted(deps, deletion, new AbortController().signal), purged };
}

it('rows are kept in the table of a webhook of which only the first event is read', async () => {
  const { userId, webhookId, tableId } = await fixture.withWebhook();
  await fixture.receive(webhookId, '{"n":1}');
  expect(await fixture.rowsOf(userId, tableId)).toHaveLength(1);
  const { readModel } = await fixture.call(webhook.rebuild, {});
  const { erase } = await erasureOf(webhookId, () => ({}), { version: readModel.version });
  await erase();
  expect(await deliveriesInLog(webhookId)).toBe(0);
  const { events } = await fixture.store.load(webhookSubjects.table(tableId));
  expect(events.filter(({ type }) => type === 'RowKept')).toHaveLength(1);
});

it('many rows are kept a few at a time, each time once the read model has the ones before', async () => {
  const { userId, webhookId, tableId } = await fixture.withWebhook();
  const count = 100;
  await Promise.all(Array.from({ length: count }, (_, index) => fixture.receive(webhookId, `{"n":${index}}`)));
  expect(await fixture.rowsOf(userId, tableId)).toHaveLength(count);
  const { version } = (await fixture.call(webhook.rebuild, {})).readModel;
  let [appended, reached, most] = [0, 0, 0];
  const store: ErasureDeps['store'] = {
    ...fixture.store,
    append: (...given) => {
      appended += 1;
      most = Math.max(most, appended - reached);
      return fixture.store.append(...given);
    },
  };
  const readModel: ErasureDeps['readModel'] = {
    name: 'webhook',
    await: async () => {
      reached = appended;
      return true;
    },
    allContents: () => [webhookCollections(fixture.db, version)],
  };
  const { erase } = await erasureOf(webhookId, () => ({}), { version, store, readModel });
  await erase();
  expect([appended, most]).toEqual([count, 32]);
  expect(await fixture.rowsOf(userId, tableId)).toHaveLength(count);
});

it('deliveries that come with every pass make the erasure fail, and the next try erases what is left', async () => {
  const { webhookId } = await fixture.withWebhook({ table: null });
  let hasMore = true;
  const { erase } = await erasureOf(webhookId, (eraser) => ({
    find: async (...query) => {
      if (hasMore) await fixture.receive(webhookId, '{"late":1}');
      return eraser.find(...query);
    },
  }));
  await expect(erase()).rejects.toThrow(`Deliveries of webhook ${webhookId} are still arriving`);
  await fixture.receive(webhookId, '{"late":1}');
  hasMore = false;
  await erase();
  expect(await deliveriesInLog(webhookId)).toBe(0);
});

it('deliveries that are too many to overwrite are purged, however many, and not read', async () => {
  const { webhookId } = await fixture.withWebhook({ table: null });
  const found: number[] = [];
  const { erase, purged } = await erasureOf(webhookId, (eraser) => ({
    find: async (...query) => {
      const traces = await eraser.find(...query);
      found.push(traces.length);
      return traces;
    },
  }));
  const subject = webhookSubjects.deliveries(webhookId);
  const received = Array.from({ length: 1_000 }, () => ({ type: 'CallReceived', data: new Uint8Array() }) as const);
  const attributes = { webhookid: String(webhookId), sourceip: '192.0.2.1' };
  for (let count = 0; count < 3_000; count += 1_000) {
    await fixture.store.append(subject, received, 'any', { correlationId: 'test', attributes });
  }
  await erase();
  expect(found).toEqual([maxOverwritten + 1, 0]);
  expect(purged).toEqual([subject]);
});

it('waits for a read model at most for a minute, and says for which one, and for what', async () => {
  const { webhookId } = await fixture.withWebhook({ table: null });
  const never = { name: 'webhook', await: async () => false, allContents: () => [] };
  const { erase } = await erasureOf(webhookId, () => ({}), { readModel: never });
  const expected = `Webhook ${webhookId}: the read model webhook has not applied event`;
  await expect(erase()).rejects.toThrow(new RegExp(`^${expected} \\d+ within 60 s$`));
});

it('an event of a type that only a newer release knows is counted for each reactor', async () => {
  const headers = createHeaders();
  headers.set('ce-type', 'WebhookArchived');
  await fixture.connection.request(webhookSubjects.webhook(9_999), '{}', { headers, timeout: 5_000 });
  for (const handler of ['webhook-replays', 'webhook-erasures']) {
    await expect
      .poll(() => service.metrics(), { timeout: 10_000 })
      .toContain(`mneme_handler_unknown_types_total{handler="${handler}",type="WebhookArchived"} 1`);
  }
});
