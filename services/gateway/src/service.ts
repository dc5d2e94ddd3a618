import { randomBytes } from 'node:crypto';
import { gateway as gatewayEndpoints, keys } from '@mneme/contracts';
import { watchConnection } from '@mneme/event-store';
import { operatedSystem } from '@mneme/read-models';
import {
  createClient,
  type Logger,
  type Readiness,
  type ServiceProcess,
  startService,
  stoppingReadiness,
  watchLink,
} from '@mneme/service-kit';
import { eventsAppended } from '@mneme/telemetry';
import type { Express } from 'express';
import { v7 as uuidv7 } from 'uuid';
import { createApp } from './app.ts';
import { openAdmission } from './auth/open-admission.ts';
import { type GatewayConfig, openHostsOf, ownUrlOf } from './config.ts';
import type { GatewayDeps } from './deps.ts';
import { createAreas, createStreams } from './endpoints.ts';
import { unavailable } from './errors.ts';
import { openEventLogs } from './event-logs.ts';
import { HeldBodies } from './http/input/held-bodies.ts';
import { createPositionReader } from './http/positions.ts';
import { RunningRequests } from './http/request.ts';
import { createIdempotency } from './idempotency/idempotency.ts';
import { openRecordStore } from './idempotency/record-store.ts';
import { openTaskStore } from './operators/task-store.ts';
import { createTasks } from './operators/tasks.ts';
import { createUsageCounter } from './rate-limit/usage-counter.ts';
import { createSendRequest } from './send-request.ts';
import { openSessionStore } from './sessions/session-store.ts';
import { createSessions } from './sessions/sessions.ts';
import { createIdentityProvider } from './sign-in/identity-provider.ts';
import { measureStreams } from './system/measure-streams.ts';
import { createOpenApiDocument } from './system/openapi-document.ts';
import { checkOwnReadiness, checkReadiness } from './system/readiness.ts';
import { RefusedAppends } from './system/refused-appends.ts';
import { openIntake } from './webhooks/intake/open-intake.ts';

export interface GatewayOptions extends ServiceProcess {
  readonly config: GatewayConfig;
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
export async function createGatewayService(options: GatewayOptions): Promise<Gateway> {
  const { config, connection, logger, metrics } = options;
  const replicas = config.STREAM_REPLICAS;
  const logs = await openEventLogs(connection, replicas);
  const buckets = { connection, watch: watchConnection(connection), replicas, logger };
  const records = await openRecordStore({ ...buckets, maxBytes: config.IDEMPOTENCY_MAX_BYTES });
  const client = createClient({ connection });
  const send = createSendRequest(client);
  const service = startService({ connection, name: 'gateway', logger });
  const [running, endless] = [new RunningRequests(), new RunningRequests()];
  const appends = new RefusedAppends();
  eventsAppended.subscribe((appended) => appends.note(appended));
  const link = watchLink(connection, { onBack: () => appends.forget() });
  let isStopping = false;
  const ready = async ({ isOwn = false } = {}) => {
    const check = isOwn ? checkOwnReadiness : checkReadiness;
    return isStopping
      ? stoppingReadiness
      : check({ connection, client, heads: logs.heads, refusing: () => appends.reason });
  };
  const measuring = measureStreams({ connection, metrics, logger });
  const secret = serverSecret(config, logger);
  const idempotency = createIdempotency({ store: records, logger, secret });
  const system = operatedSystem(connection, client);
  const clock = Date.now;
  const tasks = createTasks({ store: await openTaskStore(buckets), system, logger, clock });

  const sessionStore = await openSessionStore({ ...buckets, clock });
  const sessions = createSessions({ store: sessionStore, clock, publicBaseUrl: config.PUBLIC_BASE_URL });
  service.serve(gatewayEndpoints.createSignInCode, async ({ credential }) => ({
    code: await sessionStore.createCode(credential),
  }));
  const usage = createUsageCounter({
    tell: (counts) =>
      client.request(keys.countUsage, { counts }, { correlationId: uuidv7(), timeoutMs: usageTimeoutMs }),
    clock,
    logger,
  });

  const heldBodies = new HeldBodies();
  const intake = await openIntake({ config, buckets, store: logs.webhooks, heldBodies });

  const positions = createPositionReader(logs.headOf);
  const deps: GatewayDeps = {
    connection,
    logs,
    positions,
    send,
    idempotency,
    timeoutMs: config.SYNC_TIMEOUT_MS,
    publicBaseUrl: config.PUBLIC_BASE_URL,
    intake,
    system,
    tasks,
    logger,
    clock,
  };

  const app = createApp({
    areas: createAreas(deps),
    streams: createStreams(deps),
    intake,
    idempotency,
    openApi: createOpenApiDocument(),
    admission: await openAdmission({ config, buckets, send, sessions, usage }),
    sessionStore,
    secret,
    sessions,
    identityProvider: createIdentityProvider(config, logger),
    publicBaseUrl: config.PUBLIC_BASE_URL,
    positions,
    openHosts: openHostsOf(config),
    bodyLimitBytes: config.BODY_LIMIT,
    heldBodies,
    corsOrigins: config.CORS_ORIGINS,
    ownUrl: ownUrlOf(config),
    trustedProxies: config.TRUSTED_PROXIES,
    running,
    endless,
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
    endStreams: () => endless.end(shuttingDown()),
    endWaits: () => running.end(shuttingDown()),
    stop: async () => {
      tasks.stop();
      measuring.stop();
      link.stop();
      await service.stop();
      await usage.stop();
      client.close();
    },
  };
}

const shuttingDown = () => unavailable('The server is shutting down; recorded work continues; try again');

/** Without a configured secret, only this process can open what it has sealed. */
function serverSecret({ SECRETS_KEY }: GatewayConfig, logger: Logger): Uint8Array {
  if (SECRETS_KEY !== undefined) return SECRETS_KEY;
  logger.warn(
    'SECRETS_KEY is not set: answers to requests with an Idempotency-Key and sign-ins at the identity provider are lost when this gateway ends, and other gateways do not know them. Set the same key for all gateways',
  );
  return randomBytes(32);
}
