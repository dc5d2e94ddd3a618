import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '@mneme/contracts';
import { lastSequence } from '../log/leader-read.ts';
import { openLog } from '../log/log.ts';
import { keepApplying } from './apply-loop.ts';
import { startFeed } from './feed.ts';
import { createPositionTracker } from './position-tracker.ts';
import { projectionKey } from './projection.ts';
import type { ProjectionOptions } from './projection-options.ts';
import type { ProjectionRun } from './projection-run.ts';

export interface RunningProjection {
  /** The sequence up to which the read model is filled. */
  position(): number;
  /** Resolves true when the read model is filled up to `sequence`, false when that takes longer than `deadlineMs` milliseconds. */
  await(sequence: number, deadlineMs: number): Promise<boolean>;
  /** True once it has caught up with what stood in the log when it was started, as long as writing succeeds. */
  isLive(): boolean;
  /**
   * Resolves when everything that is in the log now has been applied.
   * @throws EventLogUnavailableError when the log cannot be asked; Error when the projection is stopped before.
   */
  caughtUp(): Promise<void>;
  /** Ends after the batch in work. */
  stop(): Promise<void>;
}

const defaultMaxBatch = 1_000;
const defaultMaxBatchBytes = 16 * 1024 * 1024;
/** The longest time that a timer can wait for, which is 24 days. */
export const longestWaitMs = 2 ** 31 - 1;
const pauseAfterFailureMs = 500;

/**
 * Keeps a read model up to date: applies every event once and in order, in batches, from the checkpoint on.
 * Its position moves over every event, also over those that it does not use.
 *
 * A second projector of the same read model does no harm: whoever finds the checkpoint moved reads it again and goes on from there.
 * @throws whatever `readPosition` throws at the start; later faults are logged and retried until they are gone.
 */
export async function runProjection<E extends DomainEvent>(options: ProjectionOptions<E>): Promise<RunningProjection> {
  const run = await startRun(options);
  const applying = keepApplying(run);
  const caughtUp = () => awaitHead(run);
  void becomeLive(run);
  return {
    position: () => run.tracker.position(),
    await: (sequence, deadlineMs) => run.tracker.await(sequence, deadlineMs),
    isLive: () => run.hasCaughtUp && !run.isFailing,
    caughtUp,
    stop: async () => {
      run.stopping.abort();
      run.tracker.close();
      await Promise.all([run.feed.stop(), applying]);
    },
  };
}

async function startRun<E extends DomainEvent>(options: ProjectionOptions<E>): Promise<ProjectionRun<E>> {
  const { connection, stream, projection, logger, filterSubject = '>' } = options;
  const limits = {
    messages: options.maxBatch ?? defaultMaxBatch,
    bytes: options.maxBatchBytes ?? defaultMaxBatchBytes,
  };
  const name = projectionKey(projection);
  const tracker = createPositionTracker(await projection.readPosition());
  const capacity = { messages: 2 * limits.messages, bytes: 2 * limits.bytes };
  const feed = startFeed({ connection, stream, filterSubject, name, capacity, logger }, tracker.position());
  const log = openLog(connection, stream);
  const stopping = new AbortController();
  const state = { takenAt: Number.NEGATIVE_INFINITY, isFailing: false, hasCaughtUp: false };
  return { options, name, filterSubject, limits, log, feed, tracker, stopping, ...state };
}

async function awaitHead<E extends DomainEvent>(run: ProjectionRun<E>): Promise<void> {
  const last = await lastSequence(run.log, run.filterSubject);
  const isReached = await run.tracker.await(last, longestWaitMs);
  if (!isReached) throw new Error(`${run.name} was stopped before it had caught up`);
}

async function becomeLive<E extends DomainEvent>(run: ProjectionRun<E>): Promise<void> {
  while (!run.hasCaughtUp && !run.feed.hasEnded()) {
    try {
      await awaitHead(run);
      run.hasCaughtUp = true;
    } catch {
      // The log is away, which the feed reports; it is asked again until it answers.
      await pause(pauseAfterFailureMs);
    }
  }
}
