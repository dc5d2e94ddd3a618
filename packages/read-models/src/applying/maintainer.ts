import { LineLimit } from '@mneme/workers/line-limit';
import { sleep } from '@mneme/workers/waits';
import type { Commit, Maintenance, ReadModelLogger } from '../definition.ts';
import type { Lane } from '../lanes/lane.ts';
import type { IndexRepair } from './index-repair.ts';
import type { Pace } from './pace.ts';

/** How long it waits after a failure, in milliseconds. */
const retryMs = 500;

export interface MaintainerOptions {
  readonly key: string;
  readonly lanes: readonly Lane[];
  readonly maintenance: Maintenance | undefined;
  readonly indexes: Pick<IndexRepair, 'note'>;
  /** Writes under the checkpoint of a lane, which stays where it is. */
  readonly commitOf: (lane: Lane) => Commit;
  readonly pace: Pick<Pace, 'giveWay' | 'restAfterMaintenance'>;
  readonly signal: AbortSignal;
  readonly logger: ReadModelLogger;
}

/** Does what events have left to do, for one idle lane at a time. Lanes take turns, piece by piece. */
export class Maintainer {
  readonly #options: MaintainerOptions;
  readonly #failures = new LineLimit();
  #isAtWork = false;
  /** Where to look first. */
  #next = 0;

  constructor(options: MaintainerOptions) {
    this.#options = options;
  }

  /** Occupies a lane that has something to do and nothing else. @returns what does a piece of it; undefined when there is none */
  take(): { readonly lane: Lane; readonly work: () => Promise<void> } | undefined {
    const { maintenance, lanes } = this.#options;
    if (!maintenance || this.#isAtWork) return undefined;
    const isFree = (lane: Lane) => lane.isOwned && !lane.isInWork && lane.queue.length === 0;
    const inTurn = [...lanes.slice(this.#next), ...lanes.slice(0, this.#next)];
    const lane = inTurn.find((each) => isFree(each) && maintenance.isDue(each.index));
    if (!lane) return undefined;
    this.#next = lane.index + 1;
    this.#isAtWork = true;
    const release = lane.occupy();
    return { lane, work: () => this.#step(maintenance, lane, release) };
  }

  /** The lane is given back before the pause: events that come meanwhile are not to wait. */
  async #step(maintenance: Maintenance, lane: Lane, release: () => void): Promise<void> {
    const { key, commitOf, indexes, pace, signal, logger } = this.#options;
    const startedAt = performance.now();
    const isAwaited = maintenance.isAwaited?.(lane.index) ?? false;
    try {
      await maintenance.step(lane.index, commitOf(lane), pace.giveWay(true, isAwaited));
      release();
      await pace.restAfterMaintenance(performance.now() - startedAt, isAwaited);
    } catch (error) {
      release();
      indexes.note(error);
      const about = { err: error, readModel: key, lane: lane.index };
      this.#failures.write((omitted) =>
        logger.warn({ ...about, ...omitted }, 'Maintenance of a read model failed; it will be retried'),
      );
      await sleep(retryMs, signal);
    } finally {
      this.#isAtWork = false;
    }
  }
}
