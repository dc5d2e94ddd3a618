import type { NatsConnection } from '@nats-io/nats-core';
import { onCommit } from './commits.ts';
import { createPositionTracker } from './position-tracker.ts';

export interface FollowOptions {
  readonly connection: NatsConnection;
  readonly name: string;
  readonly version: number;
  /** Reads the committed checkpoint. */
  readonly readPosition: () => Promise<number>;
  /** How often to read the checkpoint while somebody waits, in milliseconds. 250 unless given. */
  readonly pollMs?: number;
}

/** The position of a projection that runs in another instance. */
export interface FollowedProjection {
  position(): number;
  /** Resolves true when the read model is filled up to `sequence`, false when that takes longer than `deadlineMs` milliseconds. */
  await(sequence: number, deadlineMs: number): Promise<boolean>;
  stop(): void;
}

const defaultPollMs = 250;

/**
 * Follows a projection by what it announces. Announcements can get lost, so the checkpoint is read as well while somebody waits.
 * @throws whatever `readPosition` throws at the start.
 */
export async function followProjection(options: FollowOptions): Promise<FollowedProjection> {
  const tracker = createPositionTracker(0);
  const forward = (position: number) => {
    if (position > tracker.position()) tracker.moveTo(position);
  };
  const commits = onCommit(options.connection, options, forward);
  forward(await options.readPosition());
  const timer = setInterval(() => {
    if (tracker.hasWaiters()) options.readPosition().then(forward, () => undefined);
  }, options.pollMs ?? defaultPollMs);
  timer.unref();
  return {
    position: () => tracker.position(),
    await: (sequence, deadlineMs) => tracker.await(sequence, deadlineMs),
    stop: () => {
      clearInterval(timer);
      commits.stop();
      tracker.close();
    },
  };
}
