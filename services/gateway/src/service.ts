import { randomBytes } from 'node:crypto';
import {
  accessRoutes,
  accessStream,
  createOpenApi,
  memoryRoutes,
  memoryStream,
  systemRoutes,
  tableRoutes,
  WireError,
  webhookIntake,
  webhookRoutes,
  webhookStream,
  webhookStreams,
} from '@mneme/contracts';
import { maxEventBytes } from '@mneme/event-store';
import { createClient, type Logger, type Metrics, type Readiness, startService } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Express } from 'express';
import { v7 as uuidv7 } from 'uuid';
import { keyEndpoints } from './access/key-routes.ts';
import { spaceEndpoints } from './access/space-routes.ts';
import { createServiceCall, type ServiceCall } from './calls/service-calls.ts';
import { type GatewayConfig, openHostsOf } from './config.ts';
import { openEventLogs } from './event-logs.ts';
import { checkReadiness } from './health/readiness.ts';
import { createApp } from './http/app.ts';
import type { StreamArea } from './http/bind-stream.ts';
import { createPositionReader } from './http/positions.ts';
import { RunningRequests } from './http/running-requests.ts';
import { type Area, defineArea } from './http/scope.ts';
import { createIdempotency, type Idempotency } from './idempotency/idempotency.ts';
import { openRecordStore } from './idempotency/record-store.ts';
import type { MemoryCaller, UserCaller } from './identity/caller.ts';
import { openAdmission } from './identity/open-admission.ts';
import { batchHandlers } from './memory/batch-handlers.ts';
import { commandHandlers } from './memory/command-handlers.ts';
import { eraseHandlers } from './memory/erase-handlers.ts';
import { createMemoryCalls } from './memory/memory-calls.ts';
import { queryHandlers } from './memory/query-handlers.ts';
import type { SubmissionDeps } from './memory/submission.ts';
import { thoughtHandlers } from './memory/thought-handlers.ts';
import { mayWrite } from './permissions/scopes.ts';
import { deliveryEndpoints } from './webhooks/delivery-routes.ts';
import { openIntake } from './webhooks/intake/open-intake.ts';
import { type DeliveryStreamDeps, deliveryStream } from './webhooks/streams/delivery-stream.ts';
import { tableExports } from './webhooks/streams/table-export.ts';
import { tableEndpoints } from './webhooks/table-routes.ts';
import { type WebhookRouteDeps, webhookEndpoints } from './webhooks/webhook-routes.ts';

/** Of the HTTP interface and of the service. */
export const version = '0.1.0';

export interface GatewayDeps {
  readonly config: GatewayConfig;
  readonly connection: NatsConnection;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Makes the ids of operations; UUIDv7 unless given. */
  readonly newId?: () => string;
}

export interface Gateway {
  /** Answers HTTP; somebody else listens. */
  readonly app: Express;
  ready(): Promise<Readiness>;
  /** Lets the gateway be found over NATS; to be called when it listens. */
  announce(): void;
  /** Ends the waits of running requests and what the gateway has open on the connection. */
  stop(): Promise<void>;
}

/** Wires the gateway on a connection to NATS. It holds no state of its own. */
export async function createGatewayService(deps: GatewayDeps): Promise<Gateway> {
  const { config, connection, logger, metrics, newId = uuidv7 } = deps;
  const replicas = config.STREAM_REPLICAS;
  const logs = await openEventLogs(connection, replicas);
  const records = await openRecordStore(connection, { replicas, maxBytes: config.IDEMPOTENCY_MAX_BYTES });
  const client = createClient({ connection });
  const call = createServiceCall(client);
  const service = startService({ connection, name: 'gateway', version, logger });
  const running = new RunningRequests();
  const ready = () => checkReadiness({ connection, client, head: () => logs.memory.head() });
  const submission = { store: logs.memory, maxEventBytes: () => maxEventBytes(connection) };
  const idempotency = createIdempotency({ store: records, newId, logger, secret: serverSecret(config, logger) });
  const routes = {
    ...{ ...memoryRoutes, ...accessRoutes, ...webhookRoutes, ...tableRoutes },
    ...{ ...webhookIntake, ...webhookStreams, ...systemRoutes },
  };

  const app = createApp({
    areas: [
      memoryArea({ call, submission, idempotency, timeoutMs: config.SYNC_TIMEOUT_MS }),
      accessArea(call),
      webhookArea({ call, publicBaseUrl: config.PUBLIC_BASE_URL, timeoutMs: config.SYNC_TIMEOUT_MS }),
    ],
    streams: webhookStreaming({ call, head: () => logs.webhooks.head(), clock: Date.now }),
    intake: await openIntake({ config, connection, store: logs.webhooks, logger, newId }),
    idempotency,
    openApi: createOpenApi({ routes, version }),
    admission: await openAdmission({ config, connection, call }),
    positions: createPositionReader(logs.headOf),
    openHosts: openHostsOf(config),
    bodyLimitBytes: config.BODY_LIMIT,
    corsOrigins: config.CORS_ORIGINS,
    trustedProxies: config.TRUSTED_PROXIES,
    running,
    ...{ logger, metrics, ready, newId },
  });

  return {
    app,
    ready,
    announce: () => service.announce(),
    stop: async () => {
      running.stop(shuttingDown());
      await service.stop();
      client.close();
    },
  };
}

/** Without a secret from outside, answers to keyed requests can be given again by this gateway only, until it ends. */
function serverSecret({ SECRETS_KEY }: GatewayConfig, logger: Logger): Uint8Array {
  if (SECRETS_KEY !== undefined) return SECRETS_KEY;
  logger.warn('SECRETS_KEY is not set: answers to requests with an Idempotency-Key are lost when this gateway ends');
  return randomBytes(32);
}

interface MemoryAreaDeps {
  readonly call: ServiceCall;
  readonly submission: SubmissionDeps;
  readonly idempotency: Idempotency;
  /** How long a caller waits for what may take long, in milliseconds. */
  readonly timeoutMs: number;
}

function memoryArea({ call, submission, idempotency, timeoutMs }: MemoryAreaDeps): Area {
  const calls = createMemoryCalls(call);
  return defineArea<typeof memoryRoutes, MemoryCaller>({
    routes: memoryRoutes,
    handlers: {
      ...batchHandlers({ ...submission, calls, syncTimeoutMs: timeoutMs }),
      ...commandHandlers(calls),
      ...eraseHandlers({ calls, idempotency, timeoutMs }),
      ...queryHandlers(calls),
      ...thoughtHandlers({ calls, timeoutMs, mayStore: ({ caller }) => mayWrite(caller) }),
    },
    stream: memoryStream.name,
  });
}

function accessArea(call: ServiceCall): Area {
  return defineArea<typeof accessRoutes, UserCaller>({
    routes: accessRoutes,
    handlers: { ...spaceEndpoints(call), ...keyEndpoints(call) },
    stream: accessStream.name,
  });
}

function webhookArea(deps: WebhookRouteDeps): Area {
  return defineArea<typeof webhookRoutes & typeof tableRoutes, UserCaller>({
    routes: { ...webhookRoutes, ...tableRoutes },
    handlers: { ...webhookEndpoints(deps), ...deliveryEndpoints(deps), ...tableEndpoints(deps.call) },
    stream: webhookStream.name,
  });
}

function webhookStreaming(deps: DeliveryStreamDeps): StreamArea {
  return { bindings: [deliveryStream(deps), ...tableExports(deps.call)], stream: webhookStream.name };
}

function shuttingDown(): WireError {
  const message = 'The server is shutting down; what was recorded goes on, try again';
  return new WireError({ status: 503, code: 'UNAVAILABLE', message });
}
