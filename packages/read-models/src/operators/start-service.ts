import { type EventStore, ensureDeadLetterStream, ensureEventLog, type StreamOptions } from '@mneme/event-store';
import {
  type Check,
  pingService,
  type RunningService,
  runChecks,
  type Service,
  type ServiceProcess,
  startService,
  watchLink,
} from '@mneme/service-kit';
import { oneAtATime } from '@mneme/workers/once';
import type { Db, MongoClient } from 'mongodb';
import { connectMongo } from '../mongo/connect-mongo.ts';
import { measureReadModels } from './measure-read-models.ts';
import { type OperatedReadModel, serveReadModels } from './serve-read-models.ts';
import { serveWhenAble } from './serve-when-able.ts';

export interface ReadModelServiceOptions extends ServiceProcess {
  /** Of the service, such as `keys`. */
  readonly name: string;
  readonly config: {
    readonly STREAM_REPLICAS: number;
    readonly MONGODB_URL: string;
    readonly MONGODB_DATABASE: string;
  };
  /** The streams of the event log that the service works with; made in a new log. */
  readonly streams: readonly Omit<StreamOptions, 'replicas'>[];
  /** Maps an error of the domain to the reply to the caller. */
  readonly mapError?: Parameters<typeof startService>[0]['mapError'];
}

/** What a service that keeps read models works with. */
export interface OpenedService extends ServiceProcess {
  /** Its endpoints get requests when the read models can answer, or when no other instance of the service can be asked. */
  readonly service: Pick<Service, 'serve'>;
  /** Its endpoints get requests in any case. */
  readonly operators: Pick<Service, 'serve'>;
  readonly client: MongoClient;
  readonly db: Db;
  /** How many servers store streams and buckets. */
  readonly replicas: number;
}

/** What a service has started. */
export interface StartedReadModels {
  readonly readModels: readonly OperatedReadModel[];
  /** Of its own events. */
  readonly store: Pick<EventStore<unknown>, 'head'>;
  /** Of its read models, and of what it depends on beside NATS and MongoDB, by name. */
  readonly checks: Readonly<Record<string, Check>>;
  /** For the line in the log that says that the service is ready. */
  readonly about: object;
  stop(): Promise<void>;
}

/**
 * Starts a service that keeps read models in MongoDB: opens the event log and the database, starts what the service
 * consists of, lets operators see its read models, and makes it discoverable when it takes requests. The connection stays
 * open when it is stopped.
 */
export async function startReadModelService(
  { name, config, streams, mapError, ...process }: ReadModelServiceOptions,
  start: (opened: OpenedService) => Promise<StartedReadModels>,
): Promise<RunningService & Pick<StartedReadModels, 'readModels'>> {
  const { connection, logger, metrics } = process;
  const replicas = config.STREAM_REPLICAS;
  await ensureEventLog(connection, streams, replicas);
  await ensureDeadLetterStream(connection, replicas);
  const client = await connectMongo(config.MONGODB_URL);
  const db = client.db(config.MONGODB_DATABASE);
  const service = startService({ connection, name, logger, metrics, ...(mapError && { mapError }) });
  const close = async () => void (await client.close());
  const held: (() => void)[] = [];
  const serve: Service['serve'] = (endpoint, handler) => void held.push(() => service.serve(endpoint, handler));
  const opened = { ...process, service: { serve }, operators: service, client, db, replicas };
  const started = await start(opened).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  let takesRequests = false;
  const own: Record<string, Check> = {
    nats: () => connection.flush().then(() => true),
    'event-log': async () => (await started.store.head()) >= 0,
    mongodb: async () => (await db.command({ ping: 1 })).ok === 1,
  };
  const checks = { ...own, ...started.checks };
  // However often it is asked for: anyone may call the gateway's /readyz.
  const unavailable = oneAtATime(async () => {
    const found = (await runChecks(checks)).checks;
    // What is wrong with a read model is in its own report.
    return Object.keys(found).filter(
      (check) => found[check] === 'unavailable' || (check in own && found[check] !== 'ok'),
    );
  });
  serveReadModels(service, name, started.readModels, () => takesRequests, unavailable);
  const link = watchLink(connection);
  const requests = await serveWhenAble({
    isAble: () => started.readModels.every(({ isAnswering }) => isAnswering !== false),
    // An instance that leaves requests to others is not announced, and answers no ping.
    // Without a server no instance can be asked, and no request comes.
    isServedElsewhere: async (timeoutMs) => (await pingService(connection, name, timeoutMs)) || !link.isUp(),
    serve: () => {
      for (const serveHeld of held) serveHeld();
      takesRequests = true;
      service.announce();
      logger.info(started.about, `${name} is ready`);
    },
    onHeld: () => logger.info(`Other instances of ${name} answer requests until its read models are built`),
    onFailed: (error) => logger.error({ err: error }, `${name} cannot take requests`),
  });
  const measuring = measureReadModels(metrics, started.readModels);
  return {
    readModels: started.readModels,
    checks: {
      ...checks,
      requests: requests.readiness,
    },
    stop: async () => {
      await requests.stop();
      link.stop();
      await service.stop();
      measuring.stop();
      await started.stop();
      await close();
    },
  };
}

/** A check for each read model, by its name. */
export function readinessOf(readModels: readonly OperatedReadModel[]): Record<string, Check> {
  return Object.fromEntries(readModels.map((each) => [each.name, () => each.readiness()]));
}
