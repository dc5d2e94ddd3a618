import type { DomainEvent } from '@mneme/contracts';
import { createPageReader, type Log, nextReadable, type PageReader, typeOf } from '@mneme/event-store';
import { createLimiter } from '@mneme/workers/limiter';
import { reasonOf } from '../errors.ts';
import type { Lane } from './lane.ts';
import type { LaneScheme } from './lane-scheme.ts';
import type { Router } from './router.ts';

/** One page of a lane that is read by itself. */
const page = { limit: 250, maxBytes: 4 * 1024 * 1024, timeoutMs: 5_000 };
/** In a rebuild all lanes begin at once. The server cuts off a connection that it has 64 MiB waiting for. */
const pagesAtOnce = 4;

export interface LaneReaderOptions {
  readonly log: Log;
  readonly scheme: LaneScheme;
  /** What to read for a lane that has no subjects of its own. */
  readonly subjects: string;
  readonly router: Pick<Router<DomainEvent>, 'position'>;
}

/** Reads the messages of lanes that cannot be fed by the router: they are behind it, or were full. */
export class LaneReader {
  readonly #options: LaneReaderOptions;
  readonly #reading = new Set<Lane>();
  readonly #readFrom: PageReader;
  readonly #pages = createLimiter(pagesAtOnce);

  constructor(options: LaneReaderOptions) {
    this.#options = options;
    this.#readFrom = createPageReader(options.log);
  }

  /**
   * Reads on for a lane, unless it has enough, or is being read for.
   * @returns whether the lane has something new: messages, where to go on, or that it has caught up with the router
   * @throws EventLogUnavailableError when the log does not answer; the lane says so until it does
   */
  async fill(lane: Lane): Promise<boolean> {
    if (!lane.isReading || lane.isFull || lane.queue.length > 0 || this.#reading.has(lane)) return false;
    const { opening, failure } = lane;
    // Another failure is one of a batch that was begun meanwhile.
    const isUnchanged = () => lane.opening === opening && lane.failure === failure;
    this.#reading.add(lane);
    try {
      const hasNews = (await this.#readPage(lane)) || (await this.#join(lane));
      if (isUnchanged()) lane.failure = undefined;
      return hasNews;
    } catch (error) {
      if (isUnchanged() && lane.isReading) lane.noteFailure(`It cannot be read for: ${reasonOf(error)}`);
      throw error;
    } finally {
      this.#reading.delete(lane);
    }
  }

  async #readPage(lane: Lane): Promise<boolean> {
    const { scheme } = this.#options;
    const { opening, readUpTo } = lane;
    const subject = this.#subjectOf(lane);
    const query = { subject, from: readUpTo + 1, ...page };
    const messages = await this.#pages.run(() => {
      const maxBytes = Math.min(page.maxBytes, Math.max(1, lane.roomBytes));
      return this.#readFrom({ ...query, maxBytes });
    });
    for (const message of messages) {
      const aggregate = await scheme.aggregateOf(message);
      if (lane.opening !== opening || !lane.isReading) return false;
      if (aggregate !== undefined && scheme.laneOf(aggregate) === lane.index) {
        lane.push({ message, aggregate, type: typeOf(message) });
      }
      lane.readUpTo = message.sequence;
    }
    return messages.length > 0;
  }

  /**
   * Lets the router feed the lane from now on, if the lane has everything that the router has passed. The leader is
   * asked, since the replica that the page came from may be behind it.
   */
  async #join(lane: Lane): Promise<boolean> {
    const { log, router } = this.#options;
    const { opening } = lane;
    const routed = router.position;
    const next =
      lane.readUpTo >= routed ? undefined : await nextReadable(log, this.#subjectOf(lane), lane.readUpTo + 1);
    if (lane.opening !== opening || !lane.isReading) return false;
    if (next !== undefined && next <= routed) {
      // There may be a file between that cannot be read, before which the next page would end again.
      const isFurther = next - 1 > lane.readUpTo;
      lane.readUpTo = next - 1;
      return isFurther;
    }
    // Messages that came to the router meanwhile are read by the next page.
    if (lane.lastUnread > Math.max(routed, lane.readUpTo)) return false;
    lane.readUpTo = Math.max(lane.readUpTo, routed);
    lane.isReading = false;
    return true;
  }

  #subjectOf({ index }: Lane): string {
    return this.#options.scheme.subjectOf?.(index) ?? this.#options.subjects;
  }
}
