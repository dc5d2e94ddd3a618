import { LRUCache } from 'lru-cache';
import type { Log } from '../log.ts';
import { headOf, lastFromLeader, nextSequence } from './leader-read.ts';

/** A message of more bytes takes the server and this process milliseconds, 20 for 5 MB. */
const largeBytes = 65_536;
const maxRemembered = 1_000;
/** In milliseconds; after a restore of an older log another message may stand at the position. */
const rememberedForMs = 30_000;

/** Where a message stands. */
export interface LastPosition {
  readonly subject: string;
  readonly sequence: number;
}

/**
 * Finds the last message of a subject, when only its position is wanted. The server always sends the whole message, so where a
 * large one was found it is asked for anything newer instead. A caller who waits for a large batch asks every second.
 */
export class LastPositions {
  readonly #log: Log;
  readonly #large = new LRUCache<string, LastPosition>({ max: maxRemembered, ttl: rememberedForMs });

  constructor(log: Log) {
    this.#log = log;
  }

  /** @param subject may have wildcards that match one literal subject at most; undefined when no message matches */
  async find(subject: string): Promise<LastPosition | undefined> {
    const known = this.#large.get(subject);
    if (known && (await this.#isStillLast(known))) return known;
    this.#large.delete(subject);
    const message = await lastFromLeader(this.#log, subject);
    if (!message) return undefined;
    const found = { subject: message.subject, sequence: message.sequence };
    if (message.bytes >= largeBytes) this.#large.set(subject, found);
    return found;
  }

  /**
   * Not if the log ends before it: then an older log was restored. The literal subject is asked for, since the server has an
   * index of where that ends; for a pattern it may search all of the log from here on, and appends wait meanwhile.
   */
  async #isStillLast({ subject, sequence }: LastPosition): Promise<boolean> {
    const [next, head] = await Promise.all([nextSequence(this.#log, subject, sequence + 1), headOf(this.#log)]);
    return next === undefined && head >= sequence;
  }
}
