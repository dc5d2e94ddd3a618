import { randomBytes, randomUUID } from 'node:crypto';
import {
  type AccessEvent,
  accessEvents,
  accessStream,
  accessSubjects,
  type Endpoint,
  type SpaceType,
  webhook,
  webhookEvents,
  webhookStream,
  webhookSubjects,
  webhookTokenSchema,
  webhookTokensBucket,
} from '@mneme/contracts';
import { connectEventStore, ensureStream } from '@mneme/event-store';
import { startTestStack } from '@mneme/local-stack';
import { closeNats, connectNats, createClient, createLogger, createMetrics, loadConfig } from '@mneme/service-kit';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { MongoClient } from 'mongodb';
import type { z } from 'zod';
import { webhookConfigSchema } from '../config.ts';
import { startWebhook } from '../start.ts';
import { markOf } from '../webhook/commands.ts';

export type WebhookFixture = Awaited<ReturnType<typeof startWebhookFixture>>;
export type User = Awaited<ReturnType<WebhookFixture['newUser']>>;
type CreateWebhook = z.input<typeof webhook.createWebhook.request>;

const context = { correlationId: 'test' };

/** Real servers, on which the service is started, called over NATS and stopped; deliveries are appended as by a gateway. */
export async function startWebhookFixture() {
  const stack = await startTestStack({ servers: ['nats', 'mongod'] });
  const silent = createLogger({ service: 'test', level: 'silent' });
  const logged: string[] = [];
  const logger = createLogger({ service: 'webhook', destination: { write: (line) => logged.push(line) } });
  const connections: NatsConnection[] = [];
  const open = async (name: string) => {
    const connection = await connectNats({ url: stack.natsUrl, name, logger: silent });
    connections.push(connection);
    return connection;
  };
  const connection = await open('test');
  for (const stream of [accessStream, webhookStream]) await ensureStream(connection, { ...stream, replicas: 1 });
  const source = 'test';
  const store = connectEventStore({ connection, stream: webhookStream.name, catalog: webhookEvents, source });
  const access = connectEventStore({ connection, stream: accessStream.name, catalog: accessEvents, source });
  const mongo = await new MongoClient(stack.mongodbUrl).connect();
  const db = mongo.db('test');
  const client = createClient({ connection });
  const running = new Set<Awaited<ReturnType<typeof startWebhook>>>();
  const SECRETS_KEY = randomBytes(32).toString('base64');
  let users = 0;

  const start = async (env: Readonly<Record<string, string>> = {}) => {
    const settings = { MONGODB_URL: stack.mongodbUrl, MONGODB_DATABASE: 'test', SECRETS_KEY, ...env };
    const config = loadConfig(webhookConfigSchema, settings);
    const serving = await open('webhook');
    const metrics = createMetrics();
    const service = await startWebhook(config, { connection: serving, logger, metrics });
    await serving.flush();
    running.add(service);
    return {
      metrics: () => metrics.text(),
      stop: async () => {
        running.delete(service);
        await service.stop();
      },
      /** Stops in the middle of its work, as a crash does. */
      cutOff: async () => {
        running.delete(service);
        await serving.close();
        await service.stop().catch(() => undefined);
      },
    };
  };
  const call = <Req, Rep>(endpoint: Endpoint<Req, Rep>, request: Req) =>
    client.request(endpoint, request, { correlationId: 'test', deadlineMs: 20_000 });
  const record = (subject: string, event: AccessEvent) => access.append(subject, [event], 0, context);

  return {
    stack,
    connection,
    store,
    db,
    logged,
    start,
    call,
    /** A user with a space and a project, as the keys service makes them. */
    newUser: async (spaceType: SpaceType = 'team') => {
      users += 1;
      const [userId, spaceId, projectId] = [users, 10_000 + users, 20_000 + users];
      const space = { spaceId, name: 'Space', spaceType, ownerId: userId } as const;
      await record(accessSubjects.space(spaceId), { type: 'SpaceCreated', data: space });
      const project = { projectId, spaceId, name: 'Default', createdBy: userId };
      await record(accessSubjects.project(projectId), { type: 'ProjectCreated', data: project });
      return { userId, projectId };
    },
    createWebhook: async (
      { userId, projectId }: { userId: number; projectId: number },
      more: Partial<CreateWebhook> = {},
    ) => {
      const asked = { name: 'Orders', table: { newName: 'orders' }, deduplicate: false, commandId: randomUUID() };
      const verification = { type: 'none', secret: null } as const;
      return (await call(webhook.createWebhook, { ...asked, verification, userId, projectId, ...more })).value;
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
      const entry = await (await new Kvm(connection).open(webhookTokensBucket)).get(markOf(token).tokenHash);
      return entry?.operation === 'PUT' ? webhookTokenSchema.parse(entry.json()) : undefined;
    },
    stop: async () => {
      for (const service of running) await service.stop();
      client.close();
      await Promise.all([...connections.map(closeNats), mongo.close()]);
      await stack.stop();
    },
  };
}
