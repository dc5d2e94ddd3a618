import { type Endpoint, type MemoryEvent, memoryEvents, memoryStream } from '@mneme/contracts';
import { connectEventStore, type EventStore } from '@mneme/event-store';
import { type Stack, startTestStack } from '@mneme/local-stack/testing';
import { closeNats, connectNats, createLogger, createMetrics, loadConfig } from '@mneme/service-kit';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { gatewayConfigSchema } from '../config.ts';
import { type RunningGateway, startGateway } from '../start.ts';
import { type AccessRecords, openAccessRecords } from './access-records.ts';
import { type HttpRequest, httpClient } from './http-request.ts';
import { type ScriptedServices, startScriptedServices } from './scripted-services.ts';
import { userToken } from './tokens.ts';
import { openWebhookRecords, type WebhookRecords } from './webhook-records.ts';

export interface LogLine {
  readonly level: string;
  readonly requestId?: string;
  readonly msg: string;
}

export interface GatewayFixture {
  readonly stack: Stack;
  readonly url: string;
  readonly http: HttpRequest;
  readonly services: ScriptedServices;
  readonly store: EventStore<MemoryEvent>;
  readonly records: AccessRecords;
  readonly webhooks: WebhookRecords;
  /** What the gateway has logged. */
  readonly log: LogLine[];
  /** The same without the line of each request. */
  notes(): LogLine[];
  /** To the NATS of the gateways. */
  readonly connection: NatsConnection;
  /** Appends to a stream of the event log until its last sequence is at least this one. */
  fillLog(stream: string, sequence: number): Promise<void>;
  /** Starts a gateway with other settings on the same NATS. */
  startAnother(env: Readonly<Record<string, string>>): Promise<RunningGateway & { http: HttpRequest }>;
  stop(): Promise<void>;
}

/** A gateway on a real NATS, with scripted other services. */
export async function startGatewayFixture(env: Readonly<Record<string, string>> = {}): Promise<GatewayFixture> {
  const stack = await startTestStack({ servers: ['nats'] });
  const silent = createLogger({ service: 'test', level: 'silent' });
  const log: LogLine[] = [];
  const logger = createLogger({ service: 'gateway', destination: { write: (line) => log.push(JSON.parse(line)) } });
  const connections: NatsConnection[] = [];
  const connect = async (name: string) => {
    const connection = await connectNats({ url: stack.natsUrl, name, logger: silent });
    connections.push(connection);
    return connection;
  };
  const gateways: RunningGateway[] = [];
  const startAnother = async (settings: Readonly<Record<string, string>>) => {
    const config = loadConfig(gatewayConfigSchema, { PORT: '0', ...settings });
    const connection = await connect('gateway');
    const gateway = await startGateway(config, { connection, logger, metrics: createMetrics() });
    gateways.push(gateway);
    return { ...gateway, http: httpClient(gateway.port) };
  };

  const testing = await connect('test');
  const services = startScriptedServices(testing, logger);
  services.reset();
  await Promise.all(['memory-ingest', 'memory-query', 'keys', 'webhook'].map((name) => services.start(name)));
  const { url, http } = await startAnother(env);
  const store = connectEventStore({
    connection: testing,
    stream: memoryStream.name,
    catalog: memoryEvents,
    source: 'test',
  });

  const records = await openAccessRecords(testing);
  const webhooks = await openWebhookRecords(testing);

  const fillLog = async (stream: string, sequence: number) => {
    const subject = `${stream.toLowerCase()}.filler`;
    let head = 0;
    while (head < sequence) head = (await jetstream(testing).publish(subject)).seq;
  };

  return {
    stack,
    url,
    http,
    services,
    store,
    records,
    webhooks,
    log,
    notes: () => log.filter(({ msg }) => msg !== 'Request'),
    connection: testing,
    startAnother,
    fillLog,
    stop: async () => {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await Promise.all(connections.map((connection) => closeNats(connection)));
      await stack.stop();
    },
  };
}

/** A gateway for the tests of a file, whose services and log are as at its start before each. */
export interface SharedGateway extends GatewayFixture {
  /** Sends a request of user 7 to a gateway with the secret of `userToken`. */
  readonly asUser: HttpRequest;
  /** The requests to one endpoint of a service. */
  asked(endpoint: Endpoint): unknown[];
}

/** @returns what it has is there when the first test begins; the functions that send requests can be taken from it before */
export function useGateway(env: Readonly<Record<string, string>> = {}): SharedGateway {
  let http: HttpRequest;
  const shared = {
    http: (...request) => http(...request),
    asUser: (method, path, options = {}) => {
      const headers = { authorization: `Bearer ${userToken(7)}`, ...options.headers };
      return http(method, path, { ...options, headers });
    },
    asked: (endpoint) => shared.services.requestsTo(endpoint).map(({ request }) => request),
  } as SharedGateway;
  beforeAll(async () => {
    const { http: send, ...started } = await startGatewayFixture(env);
    http = send;
    Object.assign(shared, started);
  });
  afterAll(() => shared.stop());
  beforeEach(() => {
    shared.services.reset();
    shared.log.length = 0;
  });
  return shared;
}
