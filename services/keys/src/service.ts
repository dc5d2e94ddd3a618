import { accessBuckets, accessStream, accessSubjects, keys } from '@mneme/contracts';
import { createBucketRoom, createIds, createStateCache, newestStore } from '@mneme/event-store';
import { type OpenedService, ReadModel, readAfterWrite } from '@mneme/read-models';
import { oneAtATime } from '@mneme/workers/once';
import { accessProjection } from './access-rows/projection.ts';
import { endedBy, startApiKeysBucket } from './buckets/api-keys.ts';
import { startSpaceOwnersBucket } from './buckets/space-owners.ts';
import type { KeysDeps } from './deps.ts';
import { serveKeys, serveSpaces } from './endpoints.ts';
import { openHighestIds } from './highest-ids.ts';
import { sizeOfKey } from './key/decider.ts';
import { rememberKeys } from './key/repeats.ts';
import { openUsageHistory } from './usage/history.ts';
import { usageRows } from './usage/rows.ts';
import { startUsageFollower } from './usage/usage-follower.ts';

export type KeysOptions = OpenedService & Pick<KeysDeps, 'store' | 'policy' | 'itemsPerUser' | 'clock' | 'newKey'>;

/** Answers requests about users, spaces, projects and keys, and keeps the read models of their events. */
export async function createKeys(options: KeysOptions) {
  const { service, db, policy, itemsPerUser, clock, newKey, logger } = options;
  const store = newestStore(options.store);
  const usage = usageRows(db);
  const follower = startUsageFollower({ ...options, rows: usage });
  // Before anything is listed, so that no count goes backwards when the database was lost.
  await follower.refill();
  const readModel = await ReadModel.start(options, accessProjection(options.client, db));
  const apiKeys = await startApiKeysBucket(options, (events) => follower.forget(events.flatMap(endedBy)));
  const spaceOwners = await startSpaceOwnersBucket(options);
  const buckets = [apiKeys, spaceOwners];
  const progress = readAfterWrite({ stream: accessStream.name, readModel, buckets, store });
  const rows = () => readModel.contents();
  const deps: KeysDeps = {
    store,
    ids: createIds({ store, subjects: accessSubjects }, await openHighestIds(db, store, logger)),
    keyStates: createStateCache({ sizeOf: sizeOfKey }),
    knownKeys: rememberKeys(),
    keyRoom: createBucketRoom(options.connection, accessBuckets.apiKeys.name, 'API keys'),
    policy,
    itemsPerUser,
    clock,
    newKey,
    rows,
    progress,
  };
  serveSpaces(service, deps);
  serveKeys(service, deps, usage, await openUsageHistory(db));
  const rebuild = async () => {
    const rebuilt = {
      apiKeys: await apiKeys.rebuild(),
      spaceOwners: await spaceOwners.rebuild(),
      readModel: await readModel.rebuild(),
      keyUsage: await follower.refill(),
    };
    logger.info(rebuilt, 'Rebuilt the read models and the buckets from the log');
    return rebuilt;
  };
  options.operators.serve(keys.rebuild, oneAtATime(rebuild));
  const readModels = [readModel, ...buckets];
  return {
    readModels,
    stop: async () => {
      await Promise.all([follower, ...readModels].map((running) => running.stop()));
    },
  };
}
