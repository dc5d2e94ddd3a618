import { readModelEndpoints, webhook, webhookSubjects } from '@mneme/contracts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useWebhookFixture, type WebhookFixture } from './testing/webhook-fixture.ts';

type Running = Awaited<ReturnType<WebhookFixture['start']>>;

const fixture = useWebhookFixture();
let service: Running;
beforeEach(async () => {
  service = await fixture.start();
});
afterEach(() => service.stop());

/** Payloads with a new column every 50 deliveries, and one that is an error every 25. */
const payload = (index: number) =>
  index % 25 === 24 ? '['.repeat(101) + ']'.repeat(101) : `{"n":${index},"col ${Math.floor(index / 50)}":"x"}`;

async function receiveMany(webhookId: number, count: number, from = 0) {
  const indexes = Array.from({ length: count }, (_, index) => from + index);
  for (let at = 0; at < count; at += 50) {
    await Promise.all(indexes.slice(at, at + 50).map((index) => fixture.receive(webhookId, payload(index))));
  }
}

/** How often each delivery was processed, by the log alone. */
async function timesProcessed(tableId: number) {
  const { events } = await fixture.store.load(webhookSubjects.table(tableId));
  const times = new Map<number, number>();
  const columns: string[] = [];
  for (const event of events) {
    if (event.type !== 'CallsProcessed') continue;
    columns.push(...event.data.newColumns.map(({ columnName }) => columnName));
    for (const { callId: deliveryId } of event.data.calls) times.set(deliveryId, (times.get(deliveryId) ?? 0) + 1);
  }
  return { times, columns };
}

async function expectOnce(
  { userId, webhookId, tableId }: Awaited<ReturnType<WebhookFixture['withWebhook']>>,
  count: number,
) {
  // A start answers before a read model is open that takes longer than usual.
  const logs = await vi.waitFor(() => fixture.logsOf(userId, webhookId), 60_000);
  expect(logs).toHaveLength(count);
  expect(new Set(logs.map(({ status }) => status))).toEqual(new Set(['processed', 'error']));
  const { times, columns } = await timesProcessed(tableId);
  expect([...times.values()].every((each) => each === 1)).toBe(true);
  expect([...times.keys()].sort((a, b) => a - b)).toEqual(logs.map(({ id }) => id).sort((a, b) => a - b));
  expect(new Set(columns).size).toBe(columns.length);
  const rows = await fixture.rowsOf(userId, tableId);
  expect(rows).toHaveLength(count - count / 25);
  expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).sort((a, b) => a - b));
  const table = await fixture.call(webhook.getTable, { userId, tableId });
  expect(table.row_count).toBe(rows.length);
}

it('two instances process nothing twice', async () => {
  const other = await fixture.start();
  const target = await fixture.withWebhook();
  await receiveMany(target.webhookId, 150);
  await expectOnce(target, 150);
  await other.stop();
});

it('an instance that crashes again and again leaves nothing unprocessed and processes nothing twice', async () => {
  const target = await fixture.withWebhook();
  for (let round = 0; round < 3; round += 1) {
    const receiving = receiveMany(target.webhookId, 100, round * 100);
    await expect.poll(async () => (await timesProcessed(target.tableId)).times.size).toBeGreaterThan(round * 100);
    await service.cutOff();
    await receiving;
    service = await fixture.start();
  }
  await expectOnce(target, 300);
});

it('deliveries that come while no instance runs are processed when one starts', async () => {
  const target = await fixture.withWebhook();
  await service.stop();
  await receiveMany(target.webhookId, 100);
  service = await fixture.start();
  await expectOnce(target, 100);
});

it('a lost checkpoint makes nothing happen twice', async () => {
  const target = await fixture.withWebhook();
  await receiveMany(target.webhookId, 100);
  await expectOnce(target, 100);
  await service.stop();
  await fixture.db.dropDatabase();
  service = await fixture.start();
  await expectOnce(target, 100);
});

it('a read model whose checkpoint was set back ends up the same', async () => {
  const target = await fixture.withWebhook();
  await receiveMany(target.webhookId, 100);
  const before = await seen(target);
  await service.stop();
  const checkpoints = fixture.db.collection<{ _id: string; position: number }>('read_model_checkpoints');
  const { matchedCount } = await checkpoints.updateMany({ _id: /^webhook@/ }, { $set: { position: 0 } });
  expect(matchedCount).toBeGreaterThan(0);
  service = await fixture.start();
  await expectOnce(target, 100);
  expect(await seen(target)).toBe(before);
});

it('the processing is rebuilt by its name alone, and processes nothing twice', async () => {
  const target = await fixture.withWebhook();
  await receiveMany(target.webhookId, 100);
  await expectOnce(target, 100);
  const { rebuild, status } = readModelEndpoints('webhook');
  const versionsOf = async (name: string) =>
    (await fixture.call(status, {})).readModels
      .find((each) => each.name === name)
      ?.versions.map((each) => each.version);
  await fixture.call(webhook.rebuild, {});
  expect(await versionsOf('webhook-processing')).toHaveLength(1);
  const { version } = await fixture.call(rebuild, { name: 'webhook-processing' });
  // The one that answers comes first.
  expect(await versionsOf('webhook-processing')).toEqual([version, version - 1]);
  await receiveMany(target.webhookId, 50, 100);
  await expectOnce(target, 150);
});

it('a repeated delivery adds no columns, also when the webhook does not deduplicate any more', async () => {
  const target = await fixture.withWebhook({ deduplicate: true });
  const subject = webhookSubjects.webhook(target.webhookId);
  await service.stop();
  await fixture.receive(target.webhookId, '{"first":1}', 'd1');
  await fixture.receive(target.webhookId, '{"second":1}', 'd1');
  const [created] = (await fixture.store.load(subject)).events;
  if (created?.type !== 'WebhookCreated') throw new Error('The webhook was not created');
  const { webhookId, tokenHash, name, isActive, verification } = created.data;
  const data = { webhookId, tokenHash, name, isActive, verification, deduplicate: false };
  await fixture.store.append(subject, [{ type: 'WebhookChanged', data }], 'any', { correlationId: 'test' });
  await fixture.receive(target.webhookId, '{"third":1}', 'd1');
  service = await fixture.start();
  const names = (await fixture.columnsOf(target.userId, target.tableId)).map(([columnName]) => columnName);
  expect(names.slice(3)).toEqual(['first', 'third']);
  expect(await fixture.rowsOf(target.userId, target.tableId)).toHaveLength(2);
});

/** What users see of tables and logs. */
async function seen({ userId, projectId }: { userId: number; projectId: number }) {
  const tables = await fixture.call(webhook.listTables, { userId, projectId });
  const query = { userId, limit: 1_000, offset: 0, order: 'desc' } as const;
  const rows = await Promise.all(tables.map(({ id }) => fixture.call(webhook.listRows, { ...query, tableId: id })));
  const webhooks = await fixture.call(webhook.listWebhooks, { userId, projectId });
  const logs = await Promise.all(webhooks.map(({ id }) => fixture.logsOf(userId, id)));
  return JSON.stringify({ tables, rows, webhooks, logs });
}

it('a rebuild gives the same tables, rows and logs, byte for byte, also of deleted webhooks', async () => {
  const target = await fixture.withWebhook({ deduplicate: true });
  const { userId, tableId } = target;
  const second = await fixture.createWebhook(target, { table: { id: tableId } });
  await receiveMany(target.webhookId, 100);
  await fixture.receive(second.id, '{"late":"1.10","id":1}');
  await fixture.receive(target.webhookId, '{"n":1}', 'twice');
  await fixture.receive(target.webhookId, '{"n":2}', 'twice');
  const [first] = await fixture.logsOf(userId, target.webhookId);
  await fixture.call(webhook.replayDelivery, { ...target, deliveryId: first?.id ?? 0, commandId: 'again' });
  await fixture.call(webhook.deleteWebhook, { userId, webhookId: second.id });
  const erased = async () => (await fixture.store.load(webhookSubjects.deliveries(second.id))).events.length;
  await expect.poll(erased, { timeout: 20_000 }).toBe(0);
  const before = await seen(target);
  expect(before).toContain('late');
  const { readModel, webhookTokens } = await fixture.call(webhook.rebuild, {});
  expect(readModel.version).toBeGreaterThan(1);
  expect(webhookTokens.changed).toBe(0);
  expect(await seen(target)).toBe(before);
});

it('deliveries are processed while a rebuild runs', async () => {
  const target = await fixture.withWebhook();
  await receiveMany(target.webhookId, 200);
  const rebuilding = fixture.call(webhook.rebuild, {});
  await receiveMany(target.webhookId, 100, 200);
  await rebuilding;
  await expectOnce(target, 300);
});
