import { type AccessEvent, accessStream, accessSubjects, keys } from '@mneme/contracts';
import { createIds, type EventStore, formatPosition, newestStore, oneAtATime, type Position } from '@mneme/event-store';
import { type OperatedReadModel, ReadModel, readAfterWrite, serveReadModels } from '@mneme/read-models';
import { type Logger, onePerCommand, type RequestContext, type Service } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Db, MongoClient } from 'mongodb';
import type { Access } from './access.ts';
import { accessReadModel } from './access-rows/projection.ts';
import { keepKeyRecords, keepSpaceOwners } from './buckets/access-bucket.ts';
import { endedBy } from './buckets/api-keys.ts';
import type { AccessPolicy } from './config.ts';
import { failingAs } from './errors.ts';
import { regenerateKey, revokeKey, updateKey } from './key/commands.ts';
import { createKey } from './key/create-key.ts';
import { listKeys } from './key/list-keys.ts';
import { hasKeyStorage } from './key/queries.ts';
import { createProject } from './project/commands.ts';
import { listProjects } from './project/list-projects.ts';
import { rebuild } from './rebuild.ts';
import { createSpace } from './space/commands.ts';
import { listSpaces } from './space/queries.ts';
import { followUsage } from './usage/follow-usage.ts';
import { type UsageRows, usageRows } from './usage/rows.ts';
import { ensureUser } from './user/commands.ts';
import { me, spaceOwner } from './user/queries.ts';

export interface KeysDeps {
  readonly connection: NatsConnection;
  readonly store: EventStore<AccessEvent>;
  readonly service: Service;
  readonly client: MongoClient;
  readonly db: Db;
  /** How many servers keep the buckets. */
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

/** Answers about users, spaces, projects and keys, and keeps what is derived from their events. */
export async function createKeys(deps: KeysDeps): Promise<RunningKeys> {
  const { service, db, policy, clock, newKey } = deps;
  const store = newestStore(deps.store);
  const usage = usageRows(db);
  const follower = followUsage({ ...deps, rows: usage });
  // Before anything is listed, so that in a database that was lost no count is seen to go back.
  await follower.refill();
  const readModel = await ReadModel.start(deps, accessReadModel(deps.client, db));
  const apiKeys = await keepKeyRecords(deps, (events) => follower.forget(events.flatMap(endedBy)));
  const spaceOwners = await keepSpaceOwners(deps);
  const buckets = [apiKeys, spaceOwners];
  const progress = readAfterWrite({ stream: accessStream.name, readModel, buckets, head: () => store.head() });
  const rows = () => readModel.contents();
  const log = { store, subjects: accessSubjects };
  const access: Access = { ...log, ids: createIds(log), policy, clock, newKey, rows, progress };
  serveSpaces(service, access);
  serveKeys(service, access, usage);
  const rebuilding = { readModel, apiKeys, spaceOwners, usage: follower, logger: deps.logger };
  service.serve(
    keys.rebuild,
    oneAtATime(() => rebuild(rebuilding)),
  );
  const readModels = [readModel, apiKeys, spaceOwners];
  serveReadModels(service, 'keys', readModels);
  return {
    readModels,
    stop: async () => {
      await Promise.all([follower.stop(), readModel.stop(), apiKeys.stop(), spaceOwners.stop()]);
    },
  };
}

function serveSpaces(service: Service, access: Access): void {
  const { rows, progress } = access;
  service.serve(keys.me, async ({ userId, minSequence }, context) => {
    const position = await ensureUser(access, userId, context);
    await progress.reach(minSequence);
    return placed({ value: await me(rows(), userId), position });
  });
  service.serve(keys.ensureUser, async ({ userId }, context) => {
    const position = await ensureUser(access, userId, context);
    return placed({ value: await spaceOwner(rows(), userId), position });
  });
  service.serve(keys.listSpaces, async ({ userId, minSequence }, context) => {
    await ensureUser(access, userId, context);
    await progress.reach(minSequence);
    return listSpaces(rows(), userId);
  });
  service.serve(keys.listProjects, async ({ userId, minSequence }, context) => {
    await ensureUser(access, userId, context);
    await progress.reach(minSequence);
    return listProjects(rows(), userId);
  });
  service.serve(keys.createSpace, placing(access, createSpace));
  service.serve(keys.createProject, placing(access, createProject));
}

function serveKeys(service: Service, access: Access, usage: UsageRows): void {
  service.serve(
    keys.listKeys,
    failingAs('Failed to list API keys', async (query) => {
      await access.progress.reach(query.minSequence);
      return listKeys(access, usage, query);
    }),
  );
  const create = onePerCommand(placing(access, createKey));
  service.serve(
    keys.createKey,
    failingAs(({ projectId }) => failedCreate(access, projectId), create),
  );
  service.serve(keys.updateKey, failingAs('Failed to update API key', placing(access, updateKey)));
  service.serve(keys.revokeKey, failingAs('Failed to delete API key', placing(access, revokeKey)));
  const regenerate = onePerCommand(placing(access, regenerateKey));
  service.serve(keys.regenerateKey, failingAs('Failed to regenerate API key', regenerate));
}

/** The first key of a space is what makes its storage. */
async function failedCreate(access: Access, projectId: number): Promise<string> {
  const isStorage = await hasKeyStorage(access, projectId).catch(() => true);
  return isStorage ? 'Failed to create API key' : 'Failed to create api_keys_list table in System Data.';
}

interface Carried<T> {
  readonly value: T;
  readonly position: Position | undefined;
}

/** A command as it is served. */
function placing<Req, T>(
  access: Access,
  carryOut: (access: Access, request: Req, context: RequestContext) => Promise<Carried<T>>,
) {
  return async (request: Req, context: RequestContext) => placed(await carryOut(access, request, context));
}

/** With the position as it crosses to the gateway. */
function placed<T>({ value, position }: Carried<T>) {
  return { value, position: position ? formatPosition(position) : null };
}
