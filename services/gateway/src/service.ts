import { randomBytes } from 'node:crypto';
import {
  accessRoutes,
  accessStream,
  createOpenApi,
  memoryRoutes,
  memoryStream,
  systemRoutes,
  tableRoutes,
  webhookIntake,
  webhookRoutes,
  webhookStream,
  webhookStreams,
} from '@mneme/contracts';
import { maxEventBytes } from '@mneme/event-store';
import { createClient, type Logger, type Metrics, type Readiness, startService, version } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Express } from 'express';
import { v7 as uuidv7 } from 'uuid';
import { keyEndpoints } from './access/key-routes.ts';
import { spaceEndpoints } from './access/space-routes.ts';
import type { MemoryCaller, UserCaller } from './auth/caller.ts';
import { openAdmission } from './auth/open-admission.ts';
import { type GatewayConfig, openHostsOf } from './config.ts';
import { unavailable } from './errors.ts';
import { openEventLogs } from './event-logs.ts';
import { checkReadiness } from './health/readiness.ts';
import { createApp } from './http/app.ts';
import type { StreamArea } from './http/bind-streams.ts';
import { type Area, defineArea } from './http/endpoints.ts';
import { createPositionReader } from './http/positions.ts';
import { RunningRequests } from './http/request.ts';
import { createIdempotency, type Idempotency } from './idempotency/idempotency.ts';
import { openRecordStore } from './idempotency/record-store.ts';
import { batchRoutes, type SubmissionDeps } from './routes/batch-routes.ts';
import { commandRoutes, eraseRoutes } from './routes/command-routes.ts';
import { createMemoryServices } from './routes/memory-services.ts';
import { queryRoutes } from './routes/query-routes.ts';
import { thoughtRoutes } from './routes/thought-routes.ts';
import { createSendRequest, type SendRequest } from './send-request.ts';
import { deliveryEndpoints } from './webhooks/delivery-routes.ts';
import { openIntake } from './webhooks/intake/open-intake.ts';
import { type DeliveryStreamDeps, deliveryStream } from './webhooks/streams/delivery-stream.ts';
import { tableExports } from './webhooks/streams/table-export.ts';
import { tableEndpoints } from './webhooks/table-routes.ts';
import { type WebhookRouteDeps, webhookEndpoints } from './webhooks/webhook-routes.ts';

export interface GatewayDeps {
  readonly config: GatewayConfig;
  readonly connection: NatsConnection;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Creates the ids of commands; UUIDv7 unless given. */
  readonly newId?: () => string;
}

export interface Gateway {
  /** The HTTP application; `listen` serves it. */
  readonly app: Express;
  ready(): Promise<Readiness>;
  /** Makes the gateway discoverable over NATS; call it when the gateway listens. */
  announce(): void;
  /** Ends the waits of running requests, and closes what the gateway has opened on the connection. */
  stop(): Promise<void>;
}

/** Wires the gateway on a connection to NATS. The gateway has no persistent state of its own. */
export async function createGatewayService(deps: GatewayDeps): Promise<Gateway> {
  const { config, connection, logger, metrics, newId = uuidv7 } = deps;
  const replicas = config.STREAM_REPLICAS;
  const logs = await openEventLogs(connection, replicas);
  const records = await openRecordStore(connection, { replicas, maxBytes: config.IDEMPOTENCY_MAX_BYTES });
  const client = createClient({ connection });
  const send = createSendRequest(client);
  const service = startService({ connection, name: 'gateway', logger });
  const running = new RunningRequests();
  const ready = () => checkReadiness({ connection, client, head: () => logs.memory.head() });
  const submission = { store: logs.memory, maxEventBytes: () => maxEventBytes(connection) };
  const idempotency = createIdempotency({ store: records, newId, logger, secret: serverSecret(config, logger) });
  const timeoutMs = config.SYNC_TIMEOUT_MS;

  const app = createApp({
    areas: [
      memoryArea({ send, submission, idempotency, timeoutMs }),
      accessArea(send),
      webhookArea({ call: send, publicBaseUrl: config.PUBLIC_BASE_URL, timeoutMs }),
    ],
    streams: webhookStreaming({ call: send, head: () => logs.webhooks.head(), clock: Date.now }),
    intake: await openIntake({ config, connection, store: logs.webhooks, logger, newId }),
    idempotency,
    openApi: openApi(),
    admission: await openAdmission({ config, connection, send }),
    positions: createPositionReader(logs.headOf),
    openHosts: openHostsOf(config),
    bodyLimitBytes: config.BODY_LIMIT,
    corsOrigins: config.CORS_ORIGINS,
    trustedProxies: config.TRUSTED_PROXIES,
    running,
    logger,
    metrics,
    ready,
    newId,
  });

  return {
    app,
    ready,
    announce: () => service.announce(),
    stop: async () => {
      running.stop(unavailable('The server is shutting down; what was recorded goes on, try again'));
      await service.stop();
      client.close();
    },
  };
}

/** Without a configured secret, answers to requests with an Idempotency-Key can only be repeated by this process. */
function serverSecret({ SECRETS_KEY }: GatewayConfig, logger: Logger): Uint8Array {
  if (SECRETS_KEY !== undefined) return SECRETS_KEY;
  logger.warn('SECRETS_KEY is not set: answers to requests with an Idempotency-Key are lost when this gateway ends');
  return randomBytes(32);
}

function openApi() {
  const routes = {
    ...memoryRoutes,
    ...accessRoutes,
    ...webhookRoutes,
    ...tableRoutes,
    ...webhookIntake,
    ...webhookStreams,
    ...systemRoutes,
  };
  return createOpenApi({ routes, version });
}

interface MemoryAreaDeps {
  readonly send: SendRequest;
  readonly submission: SubmissionDeps;
  readonly idempotency: Idempotency;
  /** How long a caller waits for long operations, in milliseconds. */
  readonly timeoutMs: number;
}

function memoryArea({ send, submission, idempotency, timeoutMs }: MemoryAreaDeps): Area {
  const services = createMemoryServices(send);
  return defineArea<typeof memoryRoutes, MemoryCaller>({
    routes: memoryRoutes,
    endpoints: {
      ...batchRoutes({ ...submission, services, syncTimeoutMs: timeoutMs }),
      ...commandRoutes(services),
      ...eraseRoutes({ services, idempotency, timeoutMs }),
      ...queryRoutes(services),
      ...thoughtRoutes({ services, timeoutMs }),
    },
    stream: memoryStream.name,
  });
}

function accessArea(send: SendRequest): Area {
  return defineArea<typeof accessRoutes, UserCaller>({
    routes: accessRoutes,
    endpoints: { ...spaceEndpoints(send), ...keyEndpoints(send) },
    stream: accessStream.name,
  });
}

function webhookArea(deps: WebhookRouteDeps): Area {
  return defineArea<typeof webhookRoutes & typeof tableRoutes, UserCaller>({
    routes: { ...webhookRoutes, ...tableRoutes },
    endpoints: { ...webhookEndpoints(deps), ...deliveryEndpoints(deps), ...tableEndpoints(deps.call) },
    stream: webhookStream.name,
  });
}

function webhookStreaming(deps: DeliveryStreamDeps): StreamArea {
  return { bindings: [deliveryStream(deps), ...tableExports(deps.call)], stream: webhookStream.name };
}
