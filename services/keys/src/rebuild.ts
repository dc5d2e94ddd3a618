import type { Logger } from '@mneme/service-kit';
import type { AccessReadModel } from './access-rows/projection.ts';
import type { ApiKeysBucket } from './buckets/api-keys.ts';
import type { SpaceOwnersBucket } from './buckets/space-owners.ts';
import type { UsageFollower } from './usage/usage-follower.ts';

export interface RebuildDeps {
  readonly readModel: AccessReadModel;
  readonly apiKeys: ApiKeysBucket;
  readonly spaceOwners: SpaceOwnersBucket;
  readonly usage: UsageFollower;
  readonly logger: Logger;
}

/** Rebuilds the read models and the buckets from the log; the present ones answer meanwhile. */
export async function rebuild({ readModel, apiKeys, spaceOwners, usage, logger }: RebuildDeps) {
  const rebuilt = {
    apiKeys: counted(await apiKeys.rebuild()),
    spaceOwners: counted(await spaceOwners.rebuild()),
    readModel: await readModel.rebuild(),
    keyUsage: await usage.refill(),
  };
  logger.info(rebuilt, 'Rebuilt the read models and the buckets from the log');
  return rebuilt;
}

function counted({ records, changed }: { records: number; changed: number }) {
  return { records, changed };
}
