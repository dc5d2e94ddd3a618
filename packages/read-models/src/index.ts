export type {
  Batch,
  BatchingDelay,
  BatchLimits,
  Commit,
  LaneEvents,
  LaneScheme,
  Maintenance,
  MessagePlace,
  ReadModelDefinition,
  ReadModelStore,
  Verification,
} from './definition.ts';
export { behind, rebuilding } from './errors.ts';
export type { Deferral } from './lanes/lane.ts';
export { mongoIdentity } from './mongo/mongo-identity.ts';
export { ReadModel, type ReadModelDeps, type Rebuilt } from './read-model.ts';
export type { LaneStatus, VersionState, VersionStatus } from './versions/version-status.ts';
