export { type BucketDeps, KeptBucket, type KeptBucketOptions } from './buckets/kept-bucket.ts';
export type { RebuiltBucket } from './buckets/rebuild-bucket.ts';
export { allEntries } from './buckets/record-bucket.ts';
export { foldEvent, type RecordRules } from './buckets/record-rules.ts';
export type {
  Batch,
  BatchingDelay,
  BatchLimits,
  Commit,
  LaneEvents,
  Maintenance,
  ReadModelDefinition,
  ReadModelStore,
  Verification,
} from './definition.ts';
export { behind, rebuilding } from './errors.ts';
export type { Deferral } from './lanes/lane.ts';
export { hashedLanes, type LaneScheme, type MessagePlace } from './lanes/lane-scheme.ts';
export {
  type Collections,
  type MongoStoreOptions,
  type MongoWrite,
  mongoIdentity,
  mongoStore,
} from './mongo/mongo-store.ts';
export { measureReadModels } from './operators/measure-read-models.ts';
export { type OperatedReadModel, serveReadModels } from './operators/serve-read-models.ts';
export {
  type FollowedReadModel,
  type Follower,
  findLasting,
  type ReadAfterWrite,
  type ReadAfterWriteOptions,
  readAfterWrite,
} from './read-after-write.ts';
export { ReadModel, type ReadModelDeps, type Rebuilt } from './read-model.ts';
export type { LaneStatus, VersionState, VersionStatus } from './versions/version-status.ts';
