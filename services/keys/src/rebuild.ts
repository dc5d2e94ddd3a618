import type { Logger } from '@mneme/service-kit';
import type { AccessReadModel } from './access-rows/projection.ts';
import type { KeyRecordBucket, SpaceOwnerBucket } from './buckets/access-bucket.ts';
import type { UsageFollower } from './usage/follow-usage.ts';

export interface RebuildDeps {
  readonly readModel: AccessReadModel;
  readonly apiKeys: KeyRecordBucket;
  readonly spaceOwners: SpaceOwnerBucket;
  readonly usage: UsageFollower;
  readonly logger: Logger;
}

/** Makes everything that is derived from the log again; what is there answers meanwhile. */
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
