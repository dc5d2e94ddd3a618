export { type BucketEntry, changedEntries } from './buckets/changed-entries.ts';
export { type BucketOptions, makeBucket, openBucket } from './buckets/make-bucket.ts';
export { type DeadLetter, type DeadLetters, deadLetters } from './dead-letters/dead-letters.ts';
export { type DeadLetterReason, ensureDeadLetterStream, writeDeadLetter } from './dead-letters/write-dead-letter.ts';
export { type Eraser, openEraser, purgeSubject, type Trace } from './erasure/eraser.ts';
export {
  BatchTooLargeError,
  ConflictError,
  EventLogUnavailableError,
  EventTooLargeError,
  FencedError,
  HistoryTooLargeError,
  HopelessError,
  InvalidEventError,
  TooManyWaitingError,
  UnreadableEventError,
} from './errors.ts';
export {
  connectEventStore,
  type EventStore,
  type EventStoreOptions,
  type LoadedStream,
  maxBatchEvents,
  newestStore,
  oneAtATime,
} from './event-store.ts';
export {
  type AsyncDecider,
  type Decider,
  type DecidingStore,
  type DecisionControl,
  type ExecuteOptions,
  type Execution,
  execute,
} from './execute.ts';
export type { Owner } from './handlers/fair-queue.ts';
export type { DeliveryControl, EventStoreLogger, HandlerOptions } from './handlers/handler-options.ts';
export { type RunningHandler, runHandler } from './handlers/run-handler.ts';
export { assignId, createIds, type IdCommand, type IdLog, type Ids } from './ids/ids.ts';
export { type ConnectionWatch, watchConnection } from './log/connection-watch.ts';
export { decodeEvent, typeOf } from './log/decode.ts';
export { type DirectPage, type DirectQuery, readDirect } from './log/direct-read.ts';
export { ensureStream, type StreamOptions } from './log/ensure-stream.ts';
export { headOf, lastSequence, messageAt, nextSequence, type StreamState, streamState } from './log/leader-read.ts';
export type { Folded, Known } from './log/load.ts';
export { type Log, openLog, type StoredMessage, storedFrom } from './log/log.ts';
export { maxEventBytes, splitBySize } from './log/parts.ts';
export { connectMongo, isDuplicateKey, StoreUnfitError } from './mongo/connect-mongo.ts';
export { reachStore, StoreUnreachableError } from './mongo/reach-store.ts';
export type { EventContext, EventRecord, Recorded } from './recorded.ts';
export { formatPosition, type Position, parsePosition } from './recorded.ts';
export { createStateCache, type StateCache, type StateCacheOptions } from './state-cache.ts';
