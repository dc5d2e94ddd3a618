import { randomBytes } from 'node:crypto';
import {
  accessRoutes,
  accessStream,
  callerRoutes,
  gateway as gatewayEndpoints,
  keys,
  memoryRoutes,
  memoryStream,
  operatorRoutes,
  tableRoutes,
  webhookRoutes,
  webhookStream,
} from '@mneme/contracts';
import { deadLetters, maxEventBytes } from '@mneme/event-store';
import type { OperatedSystem } from '@mneme/read-models';
import {
  type Client,
  createClient,
  type Logger,
  type Metrics,
  type Readiness,
  startService,
  stoppingReadiness,
  version,
} from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Express } from 'express';
import { v7 as uuidv7 } from 'uuid';
import { callerEndpoints } from './access/caller-routes.ts';
import { keyEndpoints, keyFailures } from './access/key-routes.ts';
import { spaceEndpoints } from './access/space-routes.ts';
import { createApp } from './app.ts';
import type { MemoryCaller, UserCaller } from './auth/caller.ts';
import { openAdmission } from './auth/open-admission.ts';
import { type GatewayConfig, openHostsOf, ownUrlOf } from './config.ts';
import { unavailable } from './errors.ts';
import { openEventLogs } from './event-logs.ts';
import type { StreamArea } from './http/bind-streams.ts';
import { type Area, defineArea } from './http/endpoints.ts';
import { createPositionReader } from './http/positions.ts';
import { RunningRequests } from './http/request.ts';
import { createIdempotency, type Idempotency } from './idempotency/idempotency.ts';
import { openRecordStore } from './idempotency/record-store.ts';
import { batchRoutes, type SubmissionDeps } from './memory/batch-routes.ts';
import { commandRoutes, eraseRoutes } from './memory/command-routes.ts';
import { createMemoryServices } from './memory/memory-services.ts';
import { queryRoutes } from './memory/query-routes.ts';
import { thoughtRoutes } from './memory/thought-routes.ts';
import { type OperatorDeps, operatorEndpoints } from './operators/operator-routes.ts';
import { openTaskStore } from './operators/task-store.ts';
import { createTasks } from './operators/tasks.ts';
import { createUsageCounter } from './rate-limit/usage-counter.ts';
import { createSendRequest, type SendRequest } from './send-request.ts';
import { createIdentityProvider } from './sessions/identity-provider.ts';
import { createSessionCookie } from './sessions/session-cookie.ts';
import { openSessionStore } from './sessions/session-store.ts';
import { createSessions } from './sessions/sessions.ts';
import { measureStreams } from './system/measure-streams.ts';
import { createOpenApiDocument } from './system/openapi-document.ts';
import { checkOwnReadiness, checkReadiness } from './system/readiness.ts';
import { deliveryEndpoints } from './webhooks/delivery-routes.ts';
import { failures } from './webhooks/failures.ts';
import { openIntake } from './webhooks/intake/open-intake.ts';
import { type DeliveryStreamDeps, deliveryStream } from './webhooks/streams/delivery-stream.ts';
import { tableExports } from './webhooks/streams/table-export.ts';
import { tableEndpoints } from './webhooks/table-routes.ts';
import { type TestDeliveryDeps, testDeliveryEndpoints } from './webhooks/test-delivery.ts';
import { type WebhookRouteDeps, webhookEndpoints } from './webhooks/webhook-routes.ts';

export interface GatewayDeps {
  readonly config: GatewayConfig;
  readonly connection: NatsConnection;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface Gateway {
  /** The HTTP application; `listen` serves it. */
  readonly app: Express;
  /** @param options.isOwn whether only what the gateway itself needs is checked */
  ready(options?: { readonly isOwn?: boolean }): Promise<Readiness>;
  /** Makes the gateway discoverable over NATS; call it when the gateway listens. */
  announce(): void;
  /** From here on it is not ready, whatever it can do. */
  beginStopping(): void;
  /** Ends streams that go on for as long as their callers want. */
  endStreams(): void;
  /** Ends the waits of running requests. */
  endWaits(): void;
  /** Closes what the gateway has opened on the connection. */
  stop(): Promise<void>;
}

/** How long the keys service may take to add what was counted, in milliseconds. */
const usageTimeoutMs = 2_000;

/** Wires the gateway on a connection to NATS. The gateway has no persistent state of its own. */
export async function createGatewayService(deps: GatewayDeps): Promise<Gateway> {
  const { config, connection, logger, metrics } = deps;
  const replicas = config.STREAM_REPLICAS;
  const logs = await openEventLogs(connection, replicas);
  const records = await openRecordStore(connection, { replicas, maxBytes: config.IDEMPOTENCY_MAX_BYTES });
  const client = createClient({ connection });
  const send = createSendRequest(client);
  const service = startService({ connection, name: 'gateway', logger });
  const running = new RunningRequests();
  let isStopping = false;
  const ready = async ({ isOwn = false } = {}) => {
    const check = isOwn ? checkOwnReadiness : checkReadiness;
    return isStopping ? stoppingReadiness : check({ connection, client, head: () => logs.memory.head() });
  };
  const measuring = measureStreams({ connection, metrics, logger });
  const submission = { store: logs.memory, maxEventBytes: () => maxEventBytes(connection) };
  const secret = serverSecret(config, logger);
  const idempotency = createIdempotency({ store: records, logger, secret });
  const timeoutMs = config.SYNC_TIMEOUT_MS;
  const system = operatedSystem(connection, client);
  const tasks = createTasks({ store: await openTaskStore(connection, replicas), system, logger, clock: Date.now });

  const sessionStore = await openSessionStore({ connection, replicas, clock: Date.now });
  const sessions = createSessions({
    store: sessionStore,
    cookie: createSessionCookie(config.PUBLIC_BASE_URL),
    clock: Date.now,
    ownOrigin: config.PUBLIC_BASE_URL && URL.parse(config.PUBLIC_BASE_URL)?.origin,
  });
  service.serve(gatewayEndpoints.createSignInCode, async ({ credential }) => ({
    code: await sessionStore.createCode(credential),
  }));
  const usage = createUsageCounter({
    tell: (counts) =>
      client.request(keys.countUsage, { counts }, { correlationId: uuidv7(), deadlineMs: usageTimeoutMs }),
    clock: Date.now,
    logger,
  });

  const intake = await openIntake({ config, connection, store: logs.webhooks, logger });

  const app = createApp({
    areas: [
      memoryArea({ send, submission, idempotency, timeoutMs }),
      accessArea(send),
      callerArea(send),
      webhookArea({ send, publicBaseUrl: config.PUBLIC_BASE_URL, timeoutMs, intake }),
      operatorArea({ connection, system, tasks, logger }),
    ],
    streams: webhookStreaming({ send, head: () => logs.webhooks.head(), clock: Date.now }),
    intake,
    idempotency,
    openApi: createOpenApiDocument(version),
    admission: await openAdmission({ config, connection, send, sessions, usage }),
    sessionStore,
    secret,
    sessions,
    identityProvider: createIdentityProvider(config, logger),
    publicBaseUrl: config.PUBLIC_BASE_URL,
    positions: createPositionReader(logs.headOf),
    openHosts: openHostsOf(config),
    bodyLimitBytes: config.BODY_LIMIT,
    corsOrigins: config.CORS_ORIGINS,
    ownUrl: ownUrlOf(config),
    trustedProxies: config.TRUSTED_PROXIES,
    running,
    logger,
    metrics,
    ready,
  });

  return {
    app,
    ready,
    announce: () => service.announce(),
    beginStopping: () => {
      isStopping = true;
    },
    endStreams: () => running.endStreams(shuttingDown()),
    endWaits: () => running.endWaits(shuttingDown()),
    stop: async () => {
      tasks.stop();
      measuring.stop();
      await service.stop();
      await usage.stop();
      client.close();
    },
  };
}

const shuttingDown = () => unavailable('The server is shutting down; what was recorded goes on, try again');

/** Without a configured secret, only this process can open what it has sealed. */
function serverSecret({ SECRETS_KEY }: GatewayConfig, logger: Logger): Uint8Array {
  if (SECRETS_KEY !== undefined) return SECRETS_KEY;
  logger.warn(
    'SECRETS_KEY is not set: answers to requests with an Idempotency-Key and sign-ins at the identity provider are lost when this gateway ends, and other gateways do not know them. Set the same key for all gateways',
  );
  return randomBytes(32);
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
    failures: keyFailures,
    stream: accessStream.name,
  });
}

function callerArea(send: SendRequest): Area {
  return defineArea<typeof callerRoutes, MemoryCaller>({
    routes: callerRoutes,
    endpoints: callerEndpoints(send),
    stream: accessStream.name,
  });
}

function webhookArea(deps: WebhookRouteDeps & TestDeliveryDeps): Area {
  return defineArea<typeof webhookRoutes & typeof tableRoutes, UserCaller>({
    routes: { ...webhookRoutes, ...tableRoutes },
    endpoints: {
      ...webhookEndpoints(deps),
      ...testDeliveryEndpoints(deps),
      ...deliveryEndpoints(deps),
      ...tableEndpoints(deps.send),
    },
    failures,
    stream: webhookStream.name,
  });
}

function operatorArea(deps: OperatorDeps): Area {
  return defineArea<typeof operatorRoutes, UserCaller>({
    routes: operatorRoutes,
    endpoints: operatorEndpoints(deps),
    stream: memoryStream.name,
  });
}

function operatedSystem(connection: NatsConnection, client: Client): OperatedSystem {
  return {
    call: (endpoint, request, deadlineMs) =>
      client.request(endpoint, request, { correlationId: uuidv7(), deadlineMs, isBegunAtOnce: true }),
    deadLetters: deadLetters(connection),
  };
}

function webhookStreaming(deps: DeliveryStreamDeps): StreamArea {
  return { bindings: [deliveryStream(deps), ...tableExports(deps.send)], stream: webhookStream.name };
}
