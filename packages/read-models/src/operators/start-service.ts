import { type EventStore, ensureDeadLetterStream, ensureEventLog, type StreamOptions } from '@mneme/event-store';
import {
  type Check,
  type RunningService,
  runChecks,
  type Service,
  type ServiceProcess,
  type startService,
} from '@mneme/service-kit';
import { oneAtATime } from '@mneme/workers/once';
import type { Db, MongoClient } from 'mongodb';
import { connectMongo } from '../mongo/connect-mongo.ts';
import { replacedSet } from '../mongo/replaced-set.ts';
import { measureReadModels } from './measure-read-models.ts';
import { RequestShare } from './request-share.ts';
import { type OperatedReadModel, serveReadModels } from './serve-read-models.ts';

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
  /** The same, also while the read models are being built. */
  readonly operators: Pick<Service, 'serve'>;
  /** Whether this instance has lost a store and leaves requests and lanes to others. */
  readonly isAside: () => boolean;
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
  /**
   * Gives up what waits for a store. Called again and again while the instance has lost one and leaves requests and lanes to
   * others, which should not wait for what is in work here.
   */
  giveUp?(): void;
  stop(): Promise<void>;
}

/** In the log, when a process ends because of it. */
const replacedReason =
  'MongoDB is another replica set under the same name and address, to which only a new process can connect';

/**
 * Starts a service that keeps read models in MongoDB: opens the event log and the database, starts what the service
 * consists of, lets operators see its read models, and makes it discoverable when it takes requests. The connection stays
 * open when it is stopped.
 */
export async function startReadModelService(
  { name, config, streams, mapError, ...process }: ReadModelServiceOptions,
  start: (opened: OpenedService) => Promise<StartedReadModels>,
): Promise<RunningService & Pick<StartedReadModels, 'readModels'>> {
  const { connection, metrics } = process;
  const replicas = config.STREAM_REPLICAS;
  await ensureEventLog(connection, streams, replicas);
  await ensureDeadLetterStream(connection, replicas);
  const client = await connectMongo(config.MONGODB_URL);
  const failed = replacedSet(client).then(() => replacedReason);
  const db = client.db(config.MONGODB_DATABASE);
  const share = new RequestShare({ ...process, name, mapError });
  const close = async () => void (await client.close());
  const isAside = () => share.isAside();
  const opened = { ...process, service: share, operators: share.operators, isAside, client, db, replicas };
  const started = await start(opened).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const own = {
    nats: () => connection.flush().then(() => true),
    'event-log': async () => (await started.store.head()) >= 0,
    mongodb: async () => (await db.command({ ping: 1 })).ok === 1,
  } satisfies Record<string, Check>;
  const checks = { ...own, ...started.checks };
  // However often it is asked for: anyone may call the gateway's /readyz.
  const unavailable = oneAtATime(async () => {
    const found = (await runChecks(checks)).checks;
    // What is wrong with a read model is in its own report.
    return Object.keys(found).filter(
      (check) => found[check] === 'unavailable' || (check in own && found[check] !== 'ok'),
    );
  });
  serveReadModels(share.operators, name, started.readModels, () => share.isServing(), unavailable);
  // Not NATS: without it no instance can be asked, and no request comes. An event log that is away is so for all.
  const stores = { mongodb: own.mongodb, ...started.checks };
  await share.start({ ...started, stores });
  const measuring = measureReadModels(metrics, started.readModels);
  return {
    readModels: started.readModels,
    checks: { ...checks, requests: () => share.readiness() },
    failed,
    stop: async () => {
      await share.stop();
      measuring.stop();
      await started.stop();
      await share.close();
      await close();
    },
  };
}

/** A check for each read model, by its name. */
export function readinessOf(readModels: readonly OperatedReadModel[]): Record<string, Check> {
  return Object.fromEntries(readModels.map((each) => [each.name, () => each.readiness()]));
}
