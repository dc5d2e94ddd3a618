import { type EventStore, ensureDeadLetterStream, ensureEventLog, type StreamOptions } from '@mneme/event-store';
import { type Check, type RunningService, type Service, type ServiceProcess, startService } from '@mneme/service-kit';
import type { Db, MongoClient } from 'mongodb';
import { connectMongo } from '../mongo/connect-mongo.ts';
import { measureReadModels } from './measure-read-models.ts';
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
  readonly service: Service;
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
  /** What it depends on beside NATS and MongoDB, by name. */
  readonly checks: Readonly<Record<string, Check>>;
  /** For the line in the log that says that the service is ready. */
  readonly about: object;
  stop(): Promise<void>;
}

/**
 * Starts a service that keeps read models in MongoDB: opens the event log and the database, starts what the service
 * consists of, lets operators see its read models, and makes it discoverable. The connection stays open when it is stopped.
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
  const started = await start({ ...process, service, client, db, replicas }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  serveReadModels(service, name, started.readModels);
  service.announce();
  logger.info(started.about, `${name} is ready`);
  const measuring = measureReadModels(metrics, started.readModels);
  return {
    readModels: started.readModels,
    checks: {
      nats: async () => (await started.store.head()) >= 0,
      mongodb: async () => (await db.command({ ping: 1 })).ok === 1,
      ...started.checks,
    },
    stop: async () => {
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
