import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '@mneme/contracts';
import type { Db } from 'mongodb';
import { lastSequence } from '../log/leader-read.ts';
import { openLog } from '../log/log.ts';
import { type FollowedProjection, followProjection } from '../projection/follow-projection.ts';
import { projectionKey } from '../projection/projection.ts';
import type { ProjectionOptions } from '../projection/projection-options.ts';
import { longestWaitMs, type RunningProjection, runProjection } from '../projection/run-projection.ts';
import { type Lease, mongoLease } from './lease.ts';

export interface LeasedProjectionOptions<E extends DomainEvent> extends ProjectionOptions<E> {
  /** Where the lease is kept. */
  readonly db: Db;
  /** After how long without a sign of life another instance takes over, in milliseconds. 10 000 unless given. */
  readonly leaseMs?: number;
}

const defaultLeaseMs = 10_000;
const renewalsPerLease = 3;

/**
 * Runs a projection in one of several instances, while the others follow it and take over when it falls silent.
 * Everything else is as with `runProjection`; `isLive` is true in an instance that follows.
 */
export async function runLeasedProjection<E extends DomainEvent>(
  options: LeasedProjectionOptions<E>,
): Promise<RunningProjection> {
  const { connection, projection, db, leaseMs = defaultLeaseMs } = options;
  const readPosition = () => projection.readPosition();
  const follower = await followProjection({ connection, ...keyOf(projection), readPosition });
  const lease = mongoLease({ db, name: projectionKey(projection), ttlMs: leaseMs });
  const turn: Turn = { running: undefined };
  await takeTurn(options, lease, turn);
  const stopping = new AbortController();
  const everyMs = leaseMs / renewalsPerLease;
  const turns = repeat(() => takeTurn(options, lease, turn), everyMs, stopping.signal);
  return {
    position: () => follower.position(),
    await: (sequence, deadlineMs) => follower.await(sequence, deadlineMs),
    isLive: () => turn.running?.isLive() ?? true,
    caughtUp: () => awaitHead(options, follower),
    stop: async () => {
      stopping.abort();
      follower.stop();
      await turns;
      await endTurn(turn);
      await lease.release().catch(() => undefined);
    },
  };
}

interface Turn {
  running: RunningProjection | undefined;
}

function keyOf({ name, version }: { name: string; version: number }) {
  return { name, version };
}

/** Renews or tries to take the lease, and starts or ends the projection as it turns out. */
async function takeTurn<E extends DomainEvent>(
  options: LeasedProjectionOptions<E>,
  lease: Lease,
  turn: Turn,
): Promise<void> {
  try {
    const isMine = await lease.renew();
    if (isMine) turn.running ??= await runProjection(options);
    else await endTurn(turn);
  } catch (error) {
    // The checkpoint keeps two projectors from doing harm, so that an unclear lease is no reason to stop.
    const projection = projectionKey(options.projection);
    options.logger.warn({ err: error, projection }, 'The lease of a projection could not be renewed');
  }
}

async function repeat(action: () => Promise<void>, everyMs: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await action();
  }
}

async function endTurn(turn: Turn): Promise<void> {
  const { running } = turn;
  turn.running = undefined;
  await running?.stop();
}

async function awaitHead<E extends DomainEvent>(
  { connection, stream, filterSubject = '>' }: ProjectionOptions<E>,
  follower: FollowedProjection,
): Promise<void> {
  const last = await lastSequence(openLog(connection, stream), filterSubject);
  const isReached = await follower.await(last, longestWaitMs);
  if (!isReached) throw new Error('The projection was stopped before it had caught up');
}
