import { randomBytes, randomUUID } from 'node:crypto';
import {
  type AccessEvent,
  accessEvents,
  accessStream,
  accessSubjects,
  type SpaceType,
  webhook,
  webhookEvents,
  webhookStream,
  webhookSubjects,
  webhookTokenSchema,
  webhookTokensBucket,
} from '@mneme/contracts';
import { connectEventStore } from '@mneme/event-store';
import { openServiceBench, useFixture } from '@mneme/read-models/testing';
import { loadConfig } from '@mneme/service-kit';
import type { z } from 'zod';
import { webhookConfigSchema } from '../config.ts';
import { startWebhook } from '../start.ts';
import { markOf } from '../webhook/commands.ts';

export type WebhookFixture = Awaited<ReturnType<typeof startWebhookFixture>>;
type CreateWebhook = z.input<typeof webhook.createWebhook.request>;

const context = { correlationId: 'test' };

async function startWebhookFixture() {
  const SECRETS_KEY = randomBytes(32).toString('base64');
  const { call, entryOf, ...bench } = await openServiceBench({
    name: 'webhook',
    streams: [accessStream, webhookStream],
    start: (env, process) => startWebhook(loadConfig(webhookConfigSchema, { SECRETS_KEY, ...env }), process),
  });
  const { connection } = bench;
  const source = 'test';
  const store = connectEventStore({ connection, stream: webhookStream.name, catalog: webhookEvents, source });
  const access = connectEventStore({ connection, stream: accessStream.name, catalog: accessEvents, source });
  let users = 0;

  const record = (subject: string, event: AccessEvent) => access.append(subject, [event], 0, context);

  /** A user with a space and a project, as the keys service makes them. */
  const newUser = async (spaceType: SpaceType = 'team') => {
    users += 1;
    const [userId, spaceId, projectId] = [users, 10_000 + users, 20_000 + users];
    const space = { spaceId, name: 'Space', spaceType, ownerId: userId } as const;
    await record(accessSubjects.space(spaceId), { type: 'SpaceCreated', data: space });
    const project = { projectId, spaceId, name: 'Default', createdBy: userId };
    await record(accessSubjects.project(projectId), { type: 'ProjectCreated', data: project });
    return { userId, projectId };
  };
  const createWebhook = async (
    { userId, projectId }: { userId: number; projectId: number },
    more: Partial<CreateWebhook> = {},
  ) => {
    const asked = { name: 'Orders', table: { newName: 'orders' }, deduplicate: false, commandId: randomUUID() };
    const verification = { type: 'none', secret: null } as const;
    return (await call(webhook.createWebhook, { ...asked, verification, userId, projectId, ...more })).value;
  };

  return {
    ...bench,
    store,
    call,
    newUser,
    createWebhook,
    /** A user with a webhook. */
    withWebhook: async (more: Partial<CreateWebhook> = {}) => {
      const user = await newUser();
      const created = await createWebhook(user, more);
      return { ...user, webhookId: created.id, tableId: created.table_id ?? 0 };
    },
    /** Appends a delivery; returns its id. */
    receive: async (webhookId: number, payload: string | Uint8Array, deliveryid?: string) => {
      const data = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
      const attributes = { webhookid: String(webhookId), sourceip: '192.0.2.1', ...(deliveryid ? { deliveryid } : {}) };
      const subject = webhookSubjects.deliveries(webhookId);
      const { sequence } = await store.append(subject, [{ type: 'CallReceived', data }], 'any', {
        ...context,
        attributes,
      });
      return sequence;
    },
    rowsOf: async (userId: number, tableId: number) => {
      const query = { userId, tableId, limit: 1_000, offset: 0, order: 'asc' } as const;
      const { rows } = await call(webhook.listRows, query);
      return rows.map(({ id, values }) => ({ id, values: Object.fromEntries(values) }));
    },
    logsOf: async (userId: number, webhookId: number) =>
      (await call(webhook.listDeliveries, { userId, webhookId, limit: 1_000, offset: 0 })).logs,
    columnsOf: async (userId: number, tableId: number) =>
      (await call(webhook.getTable, { userId, tableId })).columns.map(({ column_name, type }) => [column_name, type]),
    tokenRecord: async (token: string) => {
      const found = await entryOf(webhookTokensBucket.name, markOf(token).tokenHash);
      return found === undefined ? undefined : webhookTokenSchema.parse(found);
    },
  };
}

/** Real servers, on which the service is started, called over NATS and stopped; deliveries are appended as by a gateway. */
export const useWebhookFixture = () => useFixture(startWebhookFixture);
