import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent, EventCatalog } from '@mneme/contracts';
import type { NatsConnection } from '@nats-io/nats-core';
import { FencedError, UnreadableEventError } from '../errors.ts';
import { decodeEvent, typeOf } from '../log/decode.ts';
import { lastSequence } from '../log/load.ts';
import { openLog } from '../log/log.ts';
import type { StoredMessage } from '../log/stored-message.ts';
import type { EventStoreLogger } from '../logger.ts';
import { park } from '../parked/park.ts';
import type { Recorded } from '../recorded.ts';
import { announceCommit } from './commits.ts';
import { type Feed, startFeed } from './feed.ts';
import { createPositionTracker, type PositionTracker } from './position-tracker.ts';
import { type Projection, projectionKey } from './projection.ts';

export interface ProjectionOptions<E extends DomainEvent> {
  readonly connection: NatsConnection;
  readonly stream: string;
  /** All subjects of the stream unless given. With a filter, the position moves over the events that match it only. */
  readonly filterSubject?: string;
  readonly catalog: EventCatalog<E>;
  readonly projection: Projection<E>;
  /** How many events one `apply` gets at most. 1 000 unless given. */
  readonly maxBatch?: number;
  /** How many bytes of event data one `apply` gets at most, unless one event alone is larger. 16 MiB unless given. */
  readonly maxBatchBytes?: number;
  readonly logger: EventStoreLogger;
}

export interface RunningProjection {
  /** The sequence up to which the read model is filled. */
  position(): number;
  /** Resolves true when the read model is filled up to `sequence`, false when that takes longer than `deadlineMs` milliseconds. */
  await(sequence: number, deadlineMs: number): Promise<boolean>;
  /** True once it has caught up with what stood in the log when it was started, as long as writing succeeds. */
  isLive(): boolean;
  /** Resolves when everything that is in the log now has been applied. */
  caughtUp(): Promise<void>;
  /** Ends after the batch in work. */
  stop(): Promise<void>;
}

const defaultMaxBatch = 1_000;
const defaultMaxBatchBytes = 16 * 1024 * 1024;
const firstRetryMs = 100;
const longestRetryMs = 15_000;

/**
 * Keeps a read model up to date: applies every event once and in order, in batches, from the checkpoint on.
 * Another projector of the same read model makes no harm: whoever finds the checkpoint moved reads it again and goes on from there.
 * @throws whatever `readPosition` throws at the start; later faults are retried for ever, and logged.
 */
export async function runProjection<E extends DomainEvent>(options: ProjectionOptions<E>): Promise<RunningProjection> {
  const { projection } = options;
  const tracker = createPositionTracker(await projection.readPosition());
  const feed = startFeed(feedOptions(options), tracker.position());
  const run: Run<E> = { options, feed, tracker, stopping: new AbortController(), isFailing: false, hasCaughtUp: false };
  const running = keepApplying(run);
  const caughtUp = () => awaitHead(run);
  void caughtUp().then(
    () => (run.hasCaughtUp = true),
    () => undefined,
  );
  return {
    position: () => tracker.position(),
    await: (sequence, deadlineMs) => tracker.await(sequence, deadlineMs),
    isLive: () => run.hasCaughtUp && !run.isFailing,
    caughtUp,
    stop: async () => {
      run.stopping.abort();
      await Promise.all([feed.stop(), running]);
      tracker.close();
    },
  };
}

interface Run<E extends DomainEvent> {
  readonly options: ProjectionOptions<E>;
  readonly feed: Feed;
  readonly tracker: PositionTracker;
  readonly stopping: AbortController;
  isFailing: boolean;
  hasCaughtUp: boolean;
}

function feedOptions<E extends DomainEvent>(options: ProjectionOptions<E>) {
  const messages = options.maxBatch ?? defaultMaxBatch;
  const bytes = options.maxBatchBytes ?? defaultMaxBatchBytes;
  return {
    connection: options.connection,
    stream: options.stream,
    filterSubject: options.filterSubject,
    name: projectionKey(options.projection),
    capacity: { messages: 2 * messages, bytes: 2 * bytes },
    logger: options.logger,
  };
}

async function awaitHead<E extends DomainEvent>({ options, tracker }: Run<E>): Promise<void> {
  const log = openLog(options.connection, options.stream);
  const last = await lastSequence(log, options.filterSubject ?? '>');
  await tracker.await(last, 2 ** 31 - 1);
}

async function keepApplying<E extends DomainEvent>(run: Run<E>): Promise<void> {
  const { options, feed, stopping } = run;
  const limits = {
    messages: options.maxBatch ?? defaultMaxBatch,
    bytes: options.maxBatchBytes ?? defaultMaxBatchBytes,
  };
  while (!stopping.signal.aborted) {
    const messages = await feed.take(limits);
    if (messages.length === 0) return;
    await applyUntilDone(run, messages);
  }
}

/** Applies one batch, however often that takes; gives it up only when another projector has gone ahead. */
async function applyUntilDone<E extends DomainEvent>(run: Run<E>, messages: readonly StoredMessage[]): Promise<void> {
  for (let attempt = 0; !run.stopping.signal.aborted; attempt += 1) {
    try {
      await applyOnce(run, messages);
      run.isFailing = false;
      return;
    } catch (error) {
      if (error instanceof FencedError && (await followTheOther(run))) return;
      await waitAfter(run, error, attempt);
    }
  }
}

async function applyOnce<E extends DomainEvent>(run: Run<E>, messages: readonly StoredMessage[]): Promise<void> {
  const { options, tracker } = run;
  const from = tracker.position();
  const to = messages.at(-1)?.sequence ?? from;
  await options.projection.apply(await readEvents(options, messages), { from, to });
  tracker.moveTo(to);
  announceCommit(options.connection, options.projection, to);
}

/** Only what the projection uses is parsed; what cannot be read is parked and passed over. */
async function readEvents<E extends DomainEvent>(
  { connection, catalog, projection, logger }: ProjectionOptions<E>,
  messages: readonly StoredMessage[],
): Promise<Recorded<E>[]> {
  const events: Recorded<E>[] = [];
  for (const message of messages) {
    const type = typeOf(message);
    if (type !== undefined && projection.types && !projection.types.includes(type)) continue;
    try {
      events.push(decodeEvent(catalog, message));
    } catch (error) {
      if (!(error instanceof UnreadableEventError)) throw error;
      await park(connection, message, { by: projectionKey(projection), reason: error.reason });
      logger.error({ err: error, projection: projectionKey(projection) }, 'Parked an unreadable event');
    }
  }
  return events;
}

/** Takes over the position that another projector has reached; false when it cannot be read or has not moved. */
async function followTheOther<E extends DomainEvent>({ options, feed, tracker }: Run<E>): Promise<boolean> {
  let position: number;
  try {
    position = await options.projection.readPosition();
  } catch {
    return false;
  }
  if (position === tracker.position()) return false;
  options.logger.warn({ projection: projectionKey(options.projection), position }, 'Another projector moved on');
  tracker.moveTo(position);
  feed.seek(position);
  return true;
}

async function waitAfter<E extends DomainEvent>(run: Run<E>, error: unknown, attempt: number): Promise<void> {
  run.isFailing = true;
  const waitMs = Math.min(firstRetryMs * 2 ** attempt, longestRetryMs);
  const projection = projectionKey(run.options.projection);
  run.options.logger.error({ err: error, projection, waitMs }, 'A read model could not be written');
  await pause(waitMs, undefined, { signal: run.stopping.signal }).catch(() => undefined);
}
