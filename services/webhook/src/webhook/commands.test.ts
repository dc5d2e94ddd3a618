import { randomUUID } from 'node:crypto';
import { type WebhookEvent, webhook } from '@mneme/contracts';
import { createStateCache, type EventStore } from '@mneme/event-store';
import { beforeAll, describe, expect, it } from 'vitest';
import { useWebhookFixture } from '../testing/webhook-fixture.ts';
import { executeOnWebhook } from './commands.ts';
import { sizeOfWebhook } from './decider.ts';

const fixture = useWebhookFixture();
beforeAll(() => fixture.start());

const keep = { name: null, isActive: null, verification: null, deduplicate: null };
const list = (user: { userId: number; projectId: number }) => fixture.call(webhook.listWebhooks, user);

describe('creating a webhook', () => {
  it('with a new table gives it the default columns, and its token is known to the gateway', async () => {
    const user = await fixture.newUser();
    const created = await fixture.createWebhook(user, { table: { newName: 'My  New\tOrders' } });
    expect(created).toMatchObject({
      project_id: user.projectId,
      name: 'Orders',
      is_active: 1,
      created_by: user.userId,
    });
    expect(created.token).toMatch(/^[a-z\d]{32}$/);
    expect(created.token_prefix).toBe(created.token.slice(0, 8));
    expect(await fixture.tokenRecord(created.token)).toMatchObject({ webhookId: created.id, state: 'active' });
    const table = await fixture.call(webhook.getTable, { ...user, tableId: created.table_id ?? 0 });
    expect(table).toMatchObject({ name: 'my_new_orders', row_count: 0 });
    expect(table.columns.map(({ column_name, type, order_index }) => [column_name, type, order_index])).toEqual([
      ['received_at', 'datetime', 0],
      ['source_ip', 'text', 1],
      ['raw_payload', 'longtext', 2],
    ]);
  });

  it('gives tables that are created at once different names', async () => {
    const user = await fixture.newUser();
    await Promise.all(Array.from({ length: 10 }, () => fixture.createWebhook(user)));
    const names = (await fixture.call(webhook.listTables, user)).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(['orders', ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => `orders_${n}`)]));
  });

  it('with the same command makes nothing twice', async () => {
    const user = await fixture.newUser();
    const commandId = randomUUID();
    const first = await fixture.createWebhook(user, { commandId });
    expect(await fixture.createWebhook(user, { commandId })).toEqual(first);
    expect(await list(user)).toHaveLength(1);
    expect(await fixture.call(webhook.listTables, user)).toHaveLength(1);
  });

  it('refuses a table of another project', async () => {
    const [mine, other] = [await fixture.newUser(), await fixture.newUser()];
    const { table_id } = await fixture.createWebhook(other);
    const created = fixture.createWebhook(mine, { table: { id: table_id ?? 0 } });
    await expect(created).rejects.toMatchObject({ status: 404, message: 'Table not found' });
  });
});

describe('who may manage a webhook', () => {
  it('only the owner of its space; other users get the reply for a missing one', async () => {
    const [owner, other] = [await fixture.newUser(), await fixture.newUser()];
    const { id: webhookId, table_id } = await fixture.createWebhook(owner);
    const { userId } = other;
    const notFound = (message: string) => ({ status: 404, code: 'NOT_FOUND', message });
    await expect(list({ userId, projectId: owner.projectId })).rejects.toMatchObject(notFound('Project not found'));
    const asked = fixture.createWebhook({ userId, projectId: owner.projectId });
    await expect(asked).rejects.toMatchObject(notFound('Project not found'));
    const changed = fixture.call(webhook.updateWebhook, { userId, webhookId, ...keep, name: 'x' });
    await expect(changed).rejects.toMatchObject(notFound('Webhook not found'));
    const deleted = fixture.call(webhook.deleteWebhook, { userId, webhookId });
    await expect(deleted).rejects.toMatchObject(notFound('Webhook not found'));
    await expect(fixture.logsOf(userId, webhookId)).rejects.toMatchObject(notFound('Webhook not found'));
    await expect(fixture.rowsOf(userId, table_id ?? 0)).rejects.toMatchObject(notFound('Table not found'));
  });

  it('every user, if it is in a personal space', async () => {
    const [owner, other] = [await fixture.newUser('personal'), await fixture.newUser()];
    const { id: webhookId } = await fixture.createWebhook(owner);
    const { value } = await fixture.call(webhook.updateWebhook, { ...other, webhookId, ...keep, name: 'Theirs' });
    expect(value.name).toBe('Theirs');
  });
});

describe('changing a webhook', () => {
  it('holds at the gateway when the reply comes', async () => {
    const user = await fixture.newUser();
    const { id: webhookId, token } = await fixture.createWebhook(user);
    const update = (change: object) => fixture.call(webhook.updateWebhook, { ...user, webhookId, ...keep, ...change });
    expect((await update({ isActive: false })).value.is_active).toBe(0);
    expect((await fixture.tokenRecord(token))?.state).toBe('inactive');
    expect((await update({ isActive: true, deduplicate: true })).value).toMatchObject({
      is_active: 1,
      deduplicate: true,
    });
    expect(await fixture.tokenRecord(token)).toMatchObject({ state: 'active', deduplicate: true });
    expect((await update({ isActive: true })).position).toBeNull();
    const { value } = await update({ verification: { type: 'github', secret: 'very-secret-words' } });
    expect(value.verification).toEqual({ type: 'github' });
  });

  it('20 times at once makes every change', async () => {
    const user = await fixture.newUser();
    const { id: webhookId } = await fixture.createWebhook(user);
    const names = Array.from({ length: 18 }, (_, n) => ({ name: `Name ${n}` }));
    const changes = [{ deduplicate: true }, ...names, { isActive: false }];
    const update = (change: object) => fixture.call(webhook.updateWebhook, { ...user, webhookId, ...keep, ...change });
    await Promise.all(changes.map(update));
    const [shown] = await list(user);
    expect(shown).toMatchObject({ name: expect.stringMatching(/^Name/), deduplicate: true, is_active: 0 });
  });

  it('reads of its history only what came after the last command', async () => {
    const { webhookId } = await fixture.withWebhook();
    const read: string[] = [];
    const store: EventStore<WebhookEvent> = {
      ...fixture.store,
      fold: (subject, evolve, initial, known) => {
        const noted: typeof evolve = (state, event) => {
          read.push(event.type);
          return evolve(state, event);
        };
        return fixture.store.fold(subject, noted, initial, known);
      },
    };
    const instance = { store, webhookStates: createStateCache({ sizeOf: sizeOfWebhook }) };
    const rename = async (name: string) => {
      const command = { type: 'ChangeWebhook', change: { ...keep, name } } as const;
      await executeOnWebhook(instance, webhookId, command, { correlationId: 'test' });
      return read.splice(0);
    };
    expect(await rename('Second')).toEqual(['WebhookCreated']);
    expect(await rename('Third')).toEqual(['WebhookChanged']);
    expect(await rename('Third')).toEqual(['WebhookChanged']);
    expect(await rename('Third')).toEqual([]);
  });

  it('stores secrets and tokens sealed only, in events and in rows', async () => {
    const user = await fixture.newUser();
    const verification = { type: 'stripe', secret: 'very-secret-words' } as const;
    const { id: webhookId, token } = await fixture.createWebhook(user, { verification });
    const { events } = await fixture.store.load(`webhooks.webhook.${webhookId}`);
    const rows = await fixture.db.collection('webhook_webhooks@1').find().toArray();
    const record = await fixture.tokenRecord(token);
    const kept = JSON.stringify([events, rows, record, fixture.logged]);
    expect(kept).not.toContain(token);
    expect(kept).not.toContain('very-secret-words');
  });
});

describe('importing a webhook', () => {
  const old = { name: 'Old', tableId: null, isActive: true, createdAt: '2020-01-02T03:04:05+02:00' };

  it('makes its token valid, once', async () => {
    const { userId: createdBy, projectId } = await fixture.newUser();
    const token = 'a'.repeat(32);
    const take = () => fixture.call(webhook.importWebhook, { ...old, projectId, createdBy, token });
    const first = await take();
    expect(first.isNew).toBe(true);
    expect(await take()).toEqual({ id: first.id, isNew: false, verification: 'none' });
    expect(await fixture.tokenRecord(token)).toMatchObject({ webhookId: first.id, state: 'active' });
    const [listed] = await list({ userId: createdBy, projectId });
    expect(listed).toMatchObject({ token, created_at: '2020-01-02T01:04:05.000Z', totalCalls: 0, lastTriggered: null });
  });

  it('keeps which signatures it checks', async () => {
    const { userId: createdBy, projectId } = await fixture.newUser();
    const token = 'c'.repeat(32);
    const verification = { type: 'github', secret: 'very-secret-words' } as const;
    const take = () => fixture.call(webhook.importWebhook, { ...old, projectId, createdBy, token, verification });
    const { id } = await take();
    expect(await take()).toEqual({ id, isNew: false, verification: 'github' });
    const sealed = { type: 'github', sealedSecret: expect.any(String) };
    expect(await fixture.tokenRecord(token)).toMatchObject({ webhookId: id, verification: sealed });
    expect(JSON.stringify(await fixture.tokenRecord(token))).not.toContain('very-secret-words');
  });

  it('that was deleted is refused, since its token stays invalid', async () => {
    const { userId, projectId } = await fixture.newUser();
    const take = () =>
      fixture.call(webhook.importWebhook, { ...old, projectId, createdBy: userId, token: 'b'.repeat(32) });
    const { id: webhookId } = await take();
    await fixture.call(webhook.deleteWebhook, { userId, webhookId });
    await expect(take()).rejects.toMatchObject({
      status: 409,
      code: 'CONFLICT',
      message: 'This webhook was deleted, and its token cannot be used again',
    });
  });
});
