import { type Log, messageAt } from '@mneme/event-store';
import type { ReadModelLogger } from '../definition.ts';
import type { Lane } from '../lanes/lane.ts';
import type { LaneAccess } from '../lanes/lane-access.ts';
import type { LanePositions } from '../lanes/lane-positions.ts';

export interface ErasedEventsOptions {
  /** Such as `memory@3`. */
  readonly key: string;
  readonly log: Log;
  readonly positions: Pick<LanePositions, 'lanes'>;
  readonly access: Pick<LaneAccess, 'retryHere'>;
  readonly logger: ReadModelLogger;
}

/**
 * The aggregates that wait for an event which was erased from the log since, and its dead letter with it: an operator finds
 * nothing to retry or discard.
 */
export class ErasedEvents {
  readonly #options: ErasedEventsOptions;
  #releasing: Promise<void> | undefined;

  constructor(options: ErasedEventsOptions) {
    this.#options = options;
  }

  /** Applies what such aggregates wait with, in lanes that this instance holds; it goes on by itself. */
  release(): void {
    this.#releasing ??= this.#releaseAll().finally(() => {
      this.#releasing = undefined;
    });
  }

  async #releaseAll(): Promise<void> {
    const { positions, key, logger } = this.#options;
    for (const lane of positions.lanes.filter(({ isOwned }) => isOwned)) {
      try {
        await this.#releaseIn(lane);
      } catch (error) {
        logger.warn({ err: error, readModel: key, lane: lane.index }, 'Looking for erased events failed');
      }
    }
  }

  async #releaseIn(lane: Lane): Promise<void> {
    const { log, access, key, logger } = this.#options;
    for (const { aggregate, from } of [...lane.deferrals.values()]) {
      if (await messageAt(log, from)) continue;
      const { done, reason } = await access.retryHere(lane, aggregate);
      const about = { readModel: key, aggregate, sequence: from, reason };
      if (done) logger.info(about, 'An aggregate no longer waits for an event that was erased');
      else logger.warn(about, 'An aggregate waits for an event that was erased');
    }
  }
}
