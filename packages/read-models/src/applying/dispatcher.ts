import { LineLimit } from '@mneme/workers/line-limit';
import { sleep } from '@mneme/workers/waits';
import type { ReadModelLogger } from '../definition.ts';
import type { Lane } from '../lanes/lane.ts';
import type { LanePositions } from '../lanes/lane-positions.ts';
import type { LaneReader } from '../lanes/lane-reader.ts';
import type { Maintainer } from './maintainer.ts';
import type { Pace } from './pace.ts';
import type { Scheduler, TakenBatch, TakenLane } from './scheduler.ts';
import { type Work, WorkInProgress } from './work-in-progress.ts';

export interface DispatcherOptions {
  /** Such as `memory@3`. */
  readonly key: string;
  readonly positions: LanePositions;
  readonly reader: LaneReader;
  readonly scheduler: Scheduler;
  readonly applier: { process(taken: readonly TakenLane[]): Promise<void> };
  readonly maintainer: Maintainer;
  readonly pace: Pace;
  /** Whether nothing may be applied for now, or ever again. */
  readonly isSuspended: () => boolean;
  /** Aborted when everything is stopped. */
  readonly signal: AbortSignal;
  readonly logger: ReadModelLogger;
}

/** How long a read of a lane that has failed is waited with, in milliseconds. */
const readRetryMs = 500;

/** Starts what there is to do for the lanes of this instance, whenever something has changed. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #working = new WorkInProgress();
  readonly #failures = new LineLimit();
  #timer: NodeJS.Timeout | undefined;
  #isMaintenanceNext = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Starts as many batches as may be applied at once; lanes that are in trouble do not count. */
  dispatch(): void {
    const { positions, scheduler, pace, signal, isSuspended } = this.#options;
    if (signal.aborted || isSuspended()) return;
    positions.advanceIdle();
    for (const lane of positions.lanes) if (lane.isOwned && lane.isReading && !lane.isInWork) this.#readOn(lane);
    const { batchesAtOnce } = pace.speed;
    // By turns with large batches, which it would never come to otherwise, or they to it.
    if (this.#isMaintenanceNext) this.#maintain();
    while (this.#working.count < batchesAtOnce) {
      // Room that is not for large batches is for those with little, who would wait for seconds behind the batches of a few.
      const taken = scheduler.take(this.#isRoomForHeavy());
      if (!taken) break;
      this.#isMaintenanceNext ||= taken.isHeavy;
      const lanes = taken.lanes.map(({ lane }) => lane);
      this.#work({ lanes, isHeavy: taken.isHeavy }, this.#apply(taken));
    }
    this.#maintain();
    this.#wakeLater();
  }

  /** To be called when everything is stopped: nothing is begun by the clock any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Resolves when everything that is at work now is over. */
  settled(): Promise<void> {
    return this.#working.settled();
  }

  async #apply({ lanes, isHeavy }: TakenBatch): Promise<void> {
    const { applier, pace } = this.#options;
    const startedAt = performance.now();
    await applier.process(lanes);
    await pace.restAfter(performance.now() - startedAt, isHeavy);
  }

  #isRoomForHeavy(): boolean {
    return this.#working.heavyCount < this.#options.pace.speed.heavyAtOnce;
  }

  #maintain(): void {
    const taken = this.#isRoomForHeavy() ? this.#options.maintainer.take() : undefined;
    if (!taken) return;
    this.#isMaintenanceNext = false;
    this.#work({ lanes: [taken.lane], isHeavy: true }, taken.work());
  }

  #work(work: Work, writing: Promise<void>): void {
    const { key, logger } = this.#options;
    this.#working.add(work, writing, (error) => {
      if (error) logger.error({ err: error, readModel: key }, 'A lane has ended unexpectedly');
      this.dispatch();
    });
  }

  #wakeLater(): void {
    const { scheduler, pace } = this.#options;
    clearTimeout(this.#timer);
    const heldBackMs = scheduler.heldBackMs(this.#isRoomForHeavy());
    if (heldBackMs === undefined || this.#working.count >= pace.speed.batchesAtOnce) return;
    this.#timer = setTimeout(() => this.dispatch(), heldBackMs);
  }

  #readOn(lane: Lane): void {
    const { key, reader, signal, logger } = this.#options;
    reader.fill(lane).then(
      (hasNews) => {
        if (hasNews) this.dispatch();
      },
      async (error: unknown) => {
        this.#failures.write((omitted) =>
          logger.warn({ err: error, readModel: key, ...omitted }, 'Waiting for the event log to be readable'),
        );
        await sleep(readRetryMs, signal);
        this.dispatch();
      },
    );
  }
}
