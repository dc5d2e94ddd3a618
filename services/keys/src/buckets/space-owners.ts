import {
  type AccessEvent,
  accessBuckets,
  accessEvents,
  accessStream,
  type SpaceOwner,
  spaceOwnerSchema,
} from '@mneme/contracts';
import { type BucketDeps, KeptBucket, type RecordRules } from '@mneme/read-models';
import { aggregateOf } from '../access-rows/projection.ts';

/** Keeps the bucket by which the gateway knows the spaces of a user. */
export function startSpaceOwnersBucket(deps: BucketDeps): Promise<KeptBucket<AccessEvent, SpaceOwner>> {
  return KeptBucket.start<AccessEvent, SpaceOwner>(deps, {
    ...accessBuckets.spaceOwners,
    stream: accessStream.name,
    catalog: accessEvents,
    schema: spaceOwnerSchema,
    rules: spaceOwnerRules,
    aggregateOf,
  });
}

/** The spaces of users, by user id. The first space of a user is the personal one. */
export const spaceOwnerRules: RecordRules<AccessEvent, SpaceOwner> = {
  types: ['SpaceCreated'],
  keysOf: (event) => (event.type === 'SpaceCreated' ? [String(event.data.ownerId)] : []),
  change: (event, record) => {
    if (event.type !== 'SpaceCreated') return new Map();
    const { ownerId, spaceId } = event.data;
    const before = record(String(ownerId));
    const spaceIds = [...new Set([...(before?.spaceIds ?? []), spaceId])].sort((left, right) => left - right);
    // Ids are assigned in the order of the log, and the personal space is created before any other space of the user.
    const personalSpaceId = Math.min(...spaceIds);
    const sequence = Math.max(before?.sequence ?? 0, event.position.sequence);
    return new Map([[String(ownerId), { personalSpaceId, spaceIds, sequence }]]);
  },
  hasEnded: () => false,
  // The spaces of a user are several aggregates, whose events may be applied in any order.
  isUnordered: true,
};
