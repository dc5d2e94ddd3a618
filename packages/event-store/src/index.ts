export type { Owner } from '@mneme/workers/fair-queue';
export { type BucketRoom, createBucketRoom } from './buckets/bucket-room.ts';
export { type BucketShares, createBucketShares } from './buckets/bucket-shares.ts';
export { type BucketEntry, changedEntries } from './buckets/changed-entries.ts';
export { mayBeLost } from './buckets/lost-bucket.ts';
export { type BucketOptions, bucketTime, makeBucket, openBucket, storedEntry } from './buckets/make-bucket.ts';
export { type DeadLetter, type DeadLetters, deadLetters, retryGoesOn } from './dead-letters/dead-letters.ts';
export { removeForeign, type SaveMessage } from './dead-letters/remove-foreign.ts';
export { deadLetterStream, ensureDeadLetterStream, writeDeadLetter } from './dead-letters/write-dead-letter.ts';
export { type Eraser, openEraser, purgeSubject, type Trace } from './erasure/eraser.ts';
export { type ErasureGuardDeps, erasureGuard } from './erasure/erasure-guard.ts';
export {
  asError,
  BatchTooLargeError,
  ConflictError,
  EventLogUnavailableError,
  EventTooLargeError,
  HopelessError,
  UnknownEventError,
  UnreadableEventError,
} from './errors.ts';
export { connectEventStore, type EventStore, newestStore } from './event-store.ts';
export {
  type AsyncDecider,
  contended,
  type Decider,
  type DecidingStore,
  type ExecuteOptions,
  execute,
} from './execute.ts';
export { removeConsumer } from './handlers/consumer.ts';
export { type RunningHandler, runHandler } from './handlers/run-handler.ts';
export { createIds, type HighestIds, type Ids } from './ids/ids.ts';
export { type ConnectionWatch, watchConnection } from './log/connection-watch.ts';
export { attributeOf, decodeEvent, eventIdOf, isKnown, timeOf, typeOf, versionOf } from './log/decode.ts';
export { ensureEventLog } from './log/ensure-event-log.ts';
export { ensureStream, type StreamOptions, streamExists, streamInfo } from './log/ensure-stream.ts';
export { type Log, openLog, type StoredMessage, storedFrom } from './log/log.ts';
export { checkLog, type LogCheck, type MemberCheck } from './log/reading/check-log.ts';
export { firstMessage } from './log/reading/first-message.ts';
export {
  headOf,
  lastSequence,
  messageAt,
  type StreamState,
  streamState,
} from './log/reading/leader-read.ts';
export { nextReadable } from './log/reading/next-readable.ts';
export { createPageReader, type PageReader } from './log/reading/page-reader.ts';
export { countOf, firstOf, subtract } from './log/reading/ranges.ts';
export { readHeaders, type TimedMessage } from './log/reading/read-headers.ts';
export { readUpTo } from './log/reading/read-up-to.ts';
export { ignoreConflict, isBucketFull } from './log/writing/conflicts.ts';
export { maxEventBytes, splitBySize } from './log/writing/parts.ts';
export type { EventContext, EventRecord, Recorded } from './recorded.ts';
export { causedBy, formatPosition, type Position, parsePosition } from './recorded.ts';
export { createStateCache, type StateCache } from './state-cache.ts';
