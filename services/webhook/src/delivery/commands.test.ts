import { randomUUID } from 'node:crypto';
import { type DeliveryReply, webhook, webhookSubjects } from '@mneme/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useWebhookFixture } from '../testing/webhook-fixture.ts';

const fixture = useWebhookFixture();
beforeAll(() => fixture.start());

describe('a delivery', () => {
  it('becomes a row with the values that were sent, character for character', async () => {
    const { userId, webhookId, tableId } = await fixture.withWebhook();
    const payload =
      ' {"n": 9007199254740993, "e":1e400,"d" : 1.10, "d":2.50, "s":"\\u00e9", "a":[ 1.0,{"x": 1} ],"o":{"k":null}}\n';
    const deliveryId = await fixture.receive(webhookId, payload);
    const [row] = await fixture.rowsOf(userId, tableId);
    expect(row).toMatchObject({ id: deliveryId });
    expect(row?.values).toMatchObject({
      n: '9007199254740993',
      e: '1e400',
      d: '2.50',
      s: '"\\u00e9"',
      a: '[ 1.0,{"x": 1} ]',
      o_k: 'null',
      source_ip: '"192.0.2.1"',
      raw_payload: JSON.stringify(payload),
    });
    const [log] = await fixture.logsOf(userId, webhookId);
    expect(log).toMatchObject({
      id: deliveryId,
      webhook_id: webhookId,
      payload,
      source_ip: '192.0.2.1',
      status: 'processed',
      error_message: null,
    });
    expect(log?.processed_at).not.toBeNull();
    expect(row?.values.received_at).toBe(JSON.stringify(log?.created_at));
    expect(await fixture.columnsOf(userId, tableId)).toEqual([
      ['received_at', 'datetime'],
      ['source_ip', 'text'],
      ['raw_payload', 'longtext'],
      ['n', 'number'],
      ['e', 'number'],
      ['d', 'number'],
      ['s', 'text'],
      ['a', 'multiselect'],
      ['o_k', 'text'],
    ]);
  });

  it('that cannot become a row is an error with the reason, and keeps its payload', async () => {
    const { userId, webhookId, tableId } = await fixture.withWebhook();
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    await fixture.receive(webhookId, deep);
    await fixture.receive(webhookId, '{"a":1}');
    const [good, bad] = await fixture.logsOf(userId, webhookId);
    expect(bad).toMatchObject({
      payload: deep,
      status: 'error',
      error_message: 'The payload is deeper than 100 levels',
    });
    expect(bad?.processed_at).toBeNull();
    expect(good?.status).toBe('processed');
    expect(await fixture.rowsOf(userId, tableId)).toHaveLength(1);
  });

  it('of a webhook without a table stays received', async () => {
    const { userId, webhookId } = await fixture.withWebhook({ table: null });
    await fixture.receive(webhookId, '{"a":1}');
    expect((await fixture.logsOf(userId, webhookId)).map(({ status }) => status)).toEqual(['received']);
  });
});

describe('many deliveries', () => {
  it('with one new column at the same moment make one column and a row each', async () => {
    const { userId, webhookId, tableId } = await fixture.withWebhook();
    await Promise.all(Array.from({ length: 100 }, (_, index) => fixture.receive(webhookId, `{"fresh":${index}}`)));
    expect(await fixture.columnsOf(userId, tableId)).toHaveLength(4);
    const rows = await fixture.rowsOf(userId, tableId);
    expect(new Set(rows.map(({ values }) => values.fresh)).size).toBe(100);
  });

  it('are listed with the five newest and their count', async () => {
    const { userId, projectId, webhookId } = await fixture.withWebhook();
    const ids: number[] = [];
    for (let index = 0; index < 7; index += 1) ids.push(await fixture.receive(webhookId, `{"a":${index}}`));
    const [listed] = await fixture.call(webhook.listWebhooks, { userId, projectId });
    expect(listed).toMatchObject({ totalCalls: 7, table_name: 'orders', table_display_name: 'orders' });
    expect(listed?.recentLogs.map(({ id }) => id)).toEqual(ids.reverse().slice(0, 5));
    expect(listed?.lastTriggered).toBe(listed?.recentLogs[0]?.created_at);
    const { logs, pagination } = await fixture.call(webhook.listDeliveries, { userId, webhookId, limit: 2, offset: 5 });
    expect(logs.map(({ id }) => id)).toEqual(ids.slice(5));
    expect(pagination).toEqual({ total: 7, limit: 2, offset: 5 });
  });

  it('are exported completely, oldest first, when a reply has no room for their rows', async () => {
    const { userId, webhookId, tableId } = await fixture.withWebhook();
    const members = Array.from({ length: 900 }, (_, index) => `"${index}":1`).join(',');
    const payload = `{"${'k'.repeat(240)}":{${members}}}`;
    const received: number[] = [];
    for (let index = 0; index < 70; index += 1) received.push(await fixture.receive(webhookId, payload));
    const parts: number[][] = [];
    for (let afterRowId = 0, isLast = false; !isLast; ) {
      const part = await fixture.call(webhook.exportRows, { userId, tableId, afterRowId, limit: 500 });
      parts.push(part.rows.map(({ id }) => id));
      afterRowId = part.rows.at(-1)?.id ?? afterRowId;
      isLast = part.isLast;
    }
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flat()).toEqual(received);
  });

  it('end a page early when they are large', async () => {
    const { userId, webhookId } = await fixture.withWebhook();
    const payload = JSON.stringify({ text: 'x'.repeat(3_000_000) });
    for (let index = 0; index < 4; index += 1) await fixture.receive(webhookId, payload);
    const { logs, pagination } = await fixture.call(webhook.listDeliveries, {
      userId,
      webhookId,
      limit: 50,
      offset: 0,
    });
    expect([logs.length, pagination.total]).toEqual([2, 4]);
  });
});

describe("a sender's delivery id that comes again", () => {
  it('makes no second log and no second row if the webhook deduplicates', async () => {
    const { userId, webhookId, tableId } = await fixture.withWebhook({ deduplicate: true });
    const first = await fixture.receive(webhookId, '{"a":1}', 'delivery 1');
    await Promise.all(Array.from({ length: 5 }, () => fixture.receive(webhookId, '{"b":2}', 'delivery 1')));
    await fixture.receive(webhookId, '{"a":3}', 'delivery 2');
    await fixture.receive(webhookId, '{"a":4}');
    await fixture.receive(webhookId, '{"a":4}');
    expect((await fixture.rowsOf(userId, tableId)).map(({ values }) => values.a)).toEqual(['1', '3', '4', '4']);
    expect(await fixture.columnsOf(userId, tableId)).toHaveLength(4);
    const logs = await fixture.logsOf(userId, webhookId);
    expect(logs.map(({ id }) => id)).toContain(first);
    expect(logs).toHaveLength(4);
  });
});

describe('replaying', () => {
  it('one delivery replaces its row, and adds none', async () => {
    const { userId, webhookId, tableId } = await fixture.withWebhook();
    const deliveryId = await fixture.receive(webhookId, '{"a":1}');
    const before = await fixture.rowsOf(userId, tableId);
    const { value } = await fixture.call(webhook.replayDelivery, {
      userId,
      webhookId,
      deliveryId,
      commandId: randomUUID(),
    });
    expect(value).toMatchObject({ id: deliveryId, status: 'processed' });
    expect(await fixture.rowsOf(userId, tableId)).toEqual(before);
    const missing = { userId, webhookId, deliveryId: deliveryId + 1_000, commandId: randomUUID() };
    const refused = fixture.call(webhook.replayDelivery, missing);
    await expect(refused).rejects.toMatchObject({ status: 404, message: 'Webhook log not found' });
  });

  it('one delivery that fails again says so, and makes no row', async () => {
    const { userId, webhookId, tableId } = await fixture.withWebhook();
    const deliveryId = await fixture.receive(webhookId, '['.repeat(101) + ']'.repeat(101));
    const [before] = await fixture.logsOf(userId, webhookId);
    const request = { userId, webhookId, deliveryId, commandId: randomUUID() };
    const { value } = await fixture.call(webhook.replayDelivery, request);
    const { error_message, payload } = before ?? {};
    expect(error_message).toEqual(expect.any(String));
    expect(value).toMatchObject({ id: deliveryId, status: 'error', error_message, payload });
    expect(await fixture.rowsOf(userId, tableId)).toEqual([]);
  });

  it('one delivery by a command that has succeeded before only reads it', async () => {
    const { userId, webhookId } = await fixture.withWebhook();
    const deliveryId = await fixture.receive(webhookId, '{"a":1}');
    const request = { userId, webhookId, deliveryId, commandId: randomUUID() };
    const first = await fixture.call(webhook.replayDelivery, request);
    const again = await fixture.call(webhook.replayDelivery, { ...request, isRepeat: true });
    expect([again.value, again.position]).toEqual([first.value, null]);
    // A day later the log would take the id of the event again.
    await fixture.call(webhook.replayDelivery, { ...request, commandId: randomUUID(), isRepeat: true });
    const { events } = await fixture.store.load(webhookSubjects.deliveries(webhookId));
    expect(events.map(({ type }) => type)).toEqual(['CallReceived', 'CallReplayed']);
  });

  it('many deliveries reports the progress, and replaces their rows', async () => {
    const { userId, webhookId, tableId } = await fixture.withWebhook();
    await Promise.all(Array.from({ length: 700 }, (_, index) => fixture.receive(webhookId, `{"a":${index}}`)));
    for (let index = 0; index < 3; index += 1) await fixture.receive(webhookId, '['.repeat(101) + ']'.repeat(101));
    const before = await fixture.rowsOf(userId, tableId);
    const request = { userId, webhookId, since: null, commandId: randomUUID() };
    const { value } = await fixture.call(webhook.replayDeliveries, { ...request, status: 'processed' });
    expect(value).toMatchObject({ calls: 700 });
    const progress = () => fixture.call(webhook.replayProgress, { userId, webhookId });
    await expect.poll(async () => (await progress()).is_done, { timeout: 20_000 }).toBe(true);
    const message = '700 deliveries replayed';
    expect(await progress()).toEqual({ calls: 700, processed: 700, failed: 0, is_done: true, message });
    expect(await fixture.rowsOf(userId, tableId)).toEqual(before);
    await fixture.call(webhook.replayDeliveries, { ...request, status: 'error', commandId: randomUUID() });
    await expect
      .poll(progress, { timeout: 20_000 })
      .toMatchObject({ failed: 3, is_done: true, message: '3 deliveries replayed, 3 of them failed' });
  });

  it('many deliveries is refused while an earlier replay is not done, unless it replaces that', async () => {
    const { userId, webhookId } = await fixture.withWebhook();
    await Promise.all(Array.from({ length: 1_200 }, (_, index) => fixture.receive(webhookId, `{"a":${index}}`)));
    const replay = (more: object = {}) => {
      const request = {
        userId,
        webhookId,
        since: null,
        status: 'processed',
        commandId: randomUUID(),
        ...more,
      } as const;
      return fixture.call(webhook.replayDeliveries, request);
    };
    const progress = () => fixture.call(webhook.replayProgress, { userId, webhookId });
    const commandIds = [randomUUID(), randomUUID()];
    const [first, second] = await Promise.allSettled(commandIds.map((commandId) => replay({ commandId })));
    const message = expect.stringMatching(
      /^An earlier replay .* not done: \d+ of 1200 deliveries replayed\. Wait until GET .*, or send "replace": true to end it$/,
    );
    const extra = expect.objectContaining({ retry_after: 5 });
    const refused = { status: 'rejected', reason: { status: 409, code: 'CONFLICT', message, extra } };
    const accepted = { status: 'fulfilled', value: { value: { calls: 1_200 } } };
    const isFirst = first?.status === 'fulfilled';
    expect(isFirst ? [first, second] : [second, first]).toMatchObject([accepted, refused]);
    expect((await replay({ commandId: commandIds[isFirst ? 0 : 1] })).value).toMatchObject({ calls: 1_200 });
    await expect.poll(progress, { timeout: 20_000 }).toMatchObject({ calls: 1_200, processed: 1_200, is_done: true });

    await replay({ commandId: commandIds[isFirst ? 1 : 0] });
    expect((await replay({ status: 'error', isReplacing: true })).value).toMatchObject({ calls: 0 });
    await expect.poll(progress, { timeout: 20_000 }).toMatchObject({ calls: 0, is_done: true });
  });
});

it('a live stream gets each delivery once, when it is processed', async () => {
  const { userId, webhookId } = await fixture.withWebhook();
  const follow = (afterDeliveryId: number, waitMs = 10_000) =>
    fixture.call(webhook.followDeliveries, { userId, webhookId, afterDeliveryId, waitMs, limit: 10 });
  const waiting = follow(0);
  const first = await fixture.receive(webhookId, '{"a":1}');
  expect((await waiting).deliveries).toMatchObject([{ id: first, status: 'processed' }]);
  expect((await follow(first, 50)).deliveries).toEqual([]);
  const second = await fixture.receive(webhookId, '{"a":2}');
  expect((await follow(first)).deliveries.map(({ id }) => id)).toEqual([second]);
});

it('a live stream has no delivery before it is processed, also while others keep coming', async () => {
  const { userId, webhookId } = await fixture.withWebhook();
  const count = 300;
  const receiving = (async () => {
    for (let n = 0; n < count; n += 1) await fixture.receive(webhookId, `{"n":${n}}`);
  })();
  const taken: DeliveryReply[] = [];
  while (taken.length < count) {
    const afterDeliveryId = taken.at(-1)?.id ?? 0;
    const query = { userId, webhookId, afterDeliveryId, waitMs: 5_000, limit: 100 };
    taken.push(...(await fixture.call(webhook.followDeliveries, query)).deliveries);
  }
  await receiving;
  expect(new Set(taken.map(({ status }) => status))).toEqual(new Set(['processed']));
  expect(taken.map(({ payload }) => JSON.parse(payload).n)).toEqual(Array.from({ length: count }, (_, n) => n));
});
