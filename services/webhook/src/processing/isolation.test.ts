import { webhook, webhookStream, webhookSubjects } from '@mneme/contracts';
import { lastSequence, openEraser, openLog, removeForeign } from '@mneme/event-store';
import { atFullLength } from '@mneme/local-stack/testing';
import { operatedSystem, retryDeadLetter } from '@mneme/read-models';
import { beforeAll, expect, it } from 'vitest';
import { useWebhookFixture } from '../testing/webhook-fixture.ts';

const fixture = useWebhookFixture();
beforeAll(() => fixture.start());

const context = { correlationId: 'test' };
const countOf = async ({ userId, tableId }: { userId: number; tableId: number }) =>
  (await fixture.rowsOf(userId, tableId)).length;

/** Keeps appending to a table, so that decisions about it meet conflicts. */
function disturb(tableId: number) {
  let isOver = false;
  let appended = 0;
  const subject = webhookSubjects.table(tableId);
  const append = async () => {
    while (!isOver) {
      appended += 1;
      const attributes = { callid: String(1_000_000 + appended), createdat: new Date().toISOString() };
      const event = { type: 'RowKept', data: new TextEncoder().encode('{}') } as const;
      await fixture.store.append(subject, [event], 'any', { ...context, attributes });
    }
  };
  const appending = Promise.all(Array.from({ length: 12 }, append));
  return {
    stop: async () => {
      isOver = true;
      await appending;
      return appended;
    },
  };
}

it('a table in conflict is tried again alone, and other tables do not wait for it', async () => {
  const [disturbed, other] = [await fixture.withWebhook(), await fixture.withWebhook()];
  const disturbance = disturb(disturbed.tableId);
  try {
    for (let round = 1; round <= 5; round += 1) {
      // In one batch, if that is how they are taken.
      await Promise.all([disturbed, other].map(({ webhookId }) => fixture.receive(webhookId, `{"n":${round}}`)));
      // Reads wait for what had been received, for 5 seconds at most.
      expect(await countOf(other)).toBe(round);
    }
  } finally {
    const kept = await disturbance.stop();
    const logs = async () => (await fixture.logsOf(disturbed.userId, disturbed.webhookId)).map(({ status }) => status);
    await expect.poll(logs, { timeout: 30_000 }).toEqual(Array(5).fill('processed'));
    const table = await fixture.call(webhook.getTable, disturbed);
    expect(table.row_count).toBe(kept + 5);
  }
});

it('a table whose events cannot be read is behind, and no other table is', async () => {
  const [broken, other] = [await fixture.withWebhook(), await fixture.withWebhook()];
  await fixture.receive(broken.webhookId, '{"n":1}');
  expect(await countOf(broken)).toBe(1);
  const seq = await damage(webhookSubjects.table(broken.tableId));
  for (let round = 1; round <= 3; round += 1) {
    await Promise.all([broken, other].map(({ webhookId }) => fixture.receive(webhookId, '{"n":2}')));
    expect(await countOf(other)).toBe(round);
  }
  const behind = { status: 503, code: 'READ_MODEL_BEHIND' };
  await expect.poll(() => countOf(broken).catch((error) => error), { timeout: 15_000 }).toMatchObject(behind);
  const started = performance.now();
  await expect(countOf(broken)).rejects.toMatchObject(behind);
  expect(performance.now() - started).toBeLessThan(2_000);
  const deferred = fixture.db.collection('read_model_deferrals');
  await expect.poll(() => deferred.distinct('aggregate'), { timeout: 15_000 }).toEqual([`t${broken.tableId}`]);
  await remove(seq);
  await retryAll();
  await expect.poll(() => countOf(broken).catch(() => null), { timeout: 60_000 }).toBe(4);
});

it('a table whose last event is lost goes on', async () => {
  const table = await fixture.withWebhook();
  await fixture.receive(table.webhookId, '{"n":1}');
  expect(await countOf(table)).toBe(1);
  const { connection } = fixture;
  const last = await lastSequence(openLog(connection, webhookStream.name), webhookSubjects.table(table.tableId));
  await openEraser(connection, webhookStream.name).erase([last]);
  await fixture.receive(table.webhookId, '{"n":2}');
  await expect.poll(() => countOf(table).catch(() => null), { timeout: 30_000 }).toBe(2);
});

it.runIf(atFullLength)(
  'a webhook with a message that is no event is deactivated and deleted once that is removed',
  async () => {
    const { userId, webhookId } = await fixture.withWebhook();
    const { token } = await fixture.call(webhook.getWebhook, { userId, webhookId });
    const seq = await damage(webhookSubjects.webhook(webhookId));
    const change = { userId, webhookId, name: null, deduplicate: null, verification: null, isActive: false };
    const named = { status: 503, message: expect.stringContaining(`WEBHOOKS:${seq}`) };
    await expect(fixture.call(webhook.updateWebhook, change)).rejects.toMatchObject(named);
    await remove(seq);
    const isActive = async () => (await fixture.call(webhook.updateWebhook, change)).value.is_active;
    await expect.poll(() => isActive().catch(() => null), { timeout: 60_000 }).toBe(0);
    await fixture.call(webhook.deleteWebhook, { userId, webhookId });
    expect(await fixture.tokenRecord(token)).toMatchObject({ state: 'deleted' });
  },
);

/** Publishes what is no event; returns its sequence. */
async function damage(subject: string): Promise<number> {
  return (await fixture.connection.request(subject, 'no event at all')).json<{ seq: number }>().seq;
}

function remove(sequence: number): Promise<void> {
  return removeForeign(fixture.connection, { stream: webhookStream.name, sequence }, async () => undefined);
}

async function retryAll(): Promise<void> {
  const system = operatedSystem(fixture.connection, { request: fixture.call });
  const { entries } = await system.deadLetters.page(1, 100, 1e6);
  for (const { sequence } of entries) await retryDeadLetter(system, sequence);
}
