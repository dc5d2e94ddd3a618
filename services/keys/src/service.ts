import { type AccessEvent, accessStream, accessSubjects, keys } from '@mneme/contracts';
import { createIds, type EventStore, newestStore, oneAtATime } from '@mneme/event-store';
import { type OperatedReadModel, ReadModel, readAfterWrite, serveReadModels } from '@mneme/read-models';
import type { Logger, Service } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Db, MongoClient } from 'mongodb';
import type { Access } from './access.ts';
import { accessProjection } from './access-rows/projection.ts';
import { endedBy, startApiKeysBucket } from './buckets/api-keys.ts';
import { startSpaceOwnersBucket } from './buckets/space-owners.ts';
import type { AccessPolicy } from './config.ts';
import { serveKeys, serveSpaces } from './endpoints.ts';
import { rebuild } from './rebuild.ts';
import { usageRows } from './usage/rows.ts';
import { startUsageFollower } from './usage/usage-follower.ts';

export interface KeysDeps {
  readonly connection: NatsConnection;
  readonly store: EventStore<AccessEvent>;
  readonly service: Service;
  readonly client: MongoClient;
  readonly db: Db;
  /** How many servers store the buckets. */
  readonly replicas: number;
  readonly policy: AccessPolicy;
  readonly clock: () => Date;
  /** Makes a new secret key. */
  readonly newKey: () => string;
  readonly logger: Logger;
}

export interface RunningKeys {
  /** The rows and the buckets. */
  readonly readModels: readonly OperatedReadModel[];
  stop(): Promise<void>;
}

/** Answers requests about users, spaces, projects and keys, and keeps the read models of their events. */
export async function createKeys(deps: KeysDeps): Promise<RunningKeys> {
  const { service, db, policy, clock, newKey, logger } = deps;
  const store = newestStore(deps.store);
  const usage = usageRows(db);
  const follower = startUsageFollower({ ...deps, rows: usage });
  // Before anything is listed, so that no count goes backwards when the database was lost.
  await follower.refill();
  const readModel = await ReadModel.start(deps, accessProjection(deps.client, db));
  const apiKeys = await startApiKeysBucket(deps, (events) => follower.forget(events.flatMap(endedBy)));
  const spaceOwners = await startSpaceOwnersBucket(deps);
  const buckets = [apiKeys, spaceOwners];
  const progress = readAfterWrite({ stream: accessStream.name, readModel, buckets, head: () => store.head() });
  const rows = () => readModel.contents();
  const log = { store, subjects: accessSubjects };
  const access: Access = { ...log, ids: createIds(log), policy, clock, newKey, rows, progress };
  serveSpaces(service, access);
  serveKeys(service, access, usage);
  service.serve(
    keys.rebuild,
    oneAtATime(() => rebuild({ readModel, apiKeys, spaceOwners, usage: follower, logger })),
  );
  const readModels = [readModel, ...buckets];
  serveReadModels(service, 'keys', readModels);
  return {
    readModels,
    stop: async () => {
      await Promise.all([follower, ...readModels].map((running) => running.stop()));
    },
  };
}
