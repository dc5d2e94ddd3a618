import { type Log, messageAt } from '@mneme/event-store';
import { oneAtATime } from '@mneme/workers/once';
import type { ReadModelLogger } from '../definition.ts';
import type { Deferral, Lane } from '../lanes/lane.ts';
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

/** How many aggregates are looked at in one go; the others have their turn the next time. */
const atOnce = 100;

/**
 * The aggregates that wait for an event which was erased from the log since, and its dead letter with it: an operator finds
 * nothing to retry or discard.
 */
export class ErasedEvents {
  readonly #options: ErasedEventsOptions;
  /** How many aggregates were looked at. */
  #looked = 0;

  constructor(options: ErasedEventsOptions) {
    this.#options = options;
  }

  /** Applies what such aggregates wait with, in lanes that this instance holds; it goes on by itself. */
  readonly release: () => void = oneAtATime(() => this.#releaseAll());

  async #releaseAll(): Promise<void> {
    const { positions, key, logger } = this.#options;
    const open = positions.lanes.filter(({ isOwned }) => isOwned);
    const waiting = open.flatMap((lane) => [...lane.deferrals.values()].map((deferral) => ({ lane, deferral })));
    const start = waiting.length > atOnce ? this.#looked % waiting.length : 0;
    const some = waiting.slice(start, start + atOnce);
    this.#looked = start + some.length;
    try {
      for (const { lane, deferral } of some) await this.#releaseOne(lane, deferral);
    } catch (error) {
      logger.warn({ err: error, readModel: key }, 'Looking for erased events failed');
    }
  }

  async #releaseOne(lane: Lane, { aggregate, from }: Deferral): Promise<void> {
    const { log, access, key, logger } = this.#options;
    if (await messageAt(log, from)) return;
    const { done, reason } = await access.retryHere(lane, aggregate);
    const about = { readModel: key, aggregate, sequence: from, reason };
    if (done) logger.info(about, 'An aggregate no longer waits for an event that was erased');
    else logger.warn(about, 'An aggregate waits for an event that was erased');
  }
}
