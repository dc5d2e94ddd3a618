export { type BucketDeps, KeptBucket } from './buckets/kept-bucket.ts';
export { foldEvent, type RecordRules } from './buckets/record-rules.ts';
export type {
  Batch,
  Commit,
  GiveWay,
  KeptOutside,
  ReadModelDefinition,
  ReadModelStore,
  Verification,
} from './definition.ts';
export { behind, explained, late } from './errors.ts';
export { hashedLanes, type LaneScheme, type MessagePlace } from './lanes/lane-scheme.ts';
export { boundedList } from './mongo/bounded-list.ts';
export { isDuplicateKey } from './mongo/connect-mongo.ts';
export { makeIndexes } from './mongo/make-indexes.ts';
export { acceptsMongoWrites, type MongoWrite, mongoIdentity, mongoStore } from './mongo/mongo-store.ts';
export { reachStore } from './mongo/reach-store.ts';
export { assertRoom } from './mongo/row-limit.ts';
export { insert, put, remove, set } from './mongo/writes.ts';
export {
  type AskedService,
  askServices,
  type FoundReadModel,
  findReadModel,
  foundReadModels,
} from './operators/find-read-models.ts';
export { type OperatedSystem, operatedSystem, servicesBehindGateway } from './operators/operated-system.ts';
export {
  rebuildReadModel,
  rebuildService,
  rollBackReadModel,
  servicesByTarget,
  verifyReadModel,
} from './operators/rebuild.ts';
export { discardDeadLetter, NoDeadLetterError, readModelOf, retryDeadLetter } from './operators/settle-dead-letters.ts';
export { type OpenedService, readinessOf, startReadModelService } from './operators/start-service.ts';
export {
  asIntact,
  type CommandResult,
  commandOf,
  type Follower,
  findLasting,
  type ReadAfterWrite,
  readAfterWrite,
  toReply,
} from './read-after-write.ts';
export { ReadModel } from './read-model.ts';
export { createReadSlots, queryConcurrency, type ReadSlots } from './read-slots.ts';
