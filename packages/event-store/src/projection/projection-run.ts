import type { DomainEvent } from '@mneme/contracts';
import type { Log } from '../log/log.ts';
import type { BufferLimits } from './buffer.ts';
import type { Feed } from './feed.ts';
import type { PositionTracker } from './position-tracker.ts';
import type { ProjectionOptions } from './projection-options.ts';

/** A projection at work. */
export interface ProjectionRun<E extends DomainEvent> {
  readonly options: ProjectionOptions<E>;
  readonly name: string;
  readonly filterSubject: string;
  readonly limits: BufferLimits;
  readonly log: Log;
  readonly feed: Feed;
  readonly tracker: PositionTracker;
  readonly stopping: AbortController;
  /** When the last batch was taken, by the clock of `performance`. */
  takenAt: number;
  isFailing: boolean;
  hasCaughtUp: boolean;
}
