import { LRUCache } from 'lru-cache';
import type { Log } from '../log.ts';
import { lastFromLeader, nextSequence } from './leader-read.ts';

/** A message of more bytes takes the server and this process milliseconds, 20 for 5 MB. */
const largeBytes = 65_536;
const maxRemembered = 1_000;
/** Shorter than it takes to notice that the log is another one. In milliseconds. */
const rememberedForMs = 30_000;

/** Where a message stands. */
export interface LastPosition {
  readonly subject: string;
  readonly sequence: number;
}

/**
 * Finds the last message of a subject, when only its position is wanted. The server always sends the whole message, so where a
 * large one was found it is asked for anything newer instead. Whoever waits for a large batch asks every second.
 */
export class LastPositions {
  readonly #log: Log;
  readonly #large = new LRUCache<string, LastPosition>({ max: maxRemembered, ttl: rememberedForMs });

  constructor(log: Log) {
    this.#log = log;
  }

  /** @param subject may have wildcards; undefined when no message matches */
  async find(subject: string): Promise<LastPosition | undefined> {
    const known = this.#large.get(subject);
    if (known && (await nextSequence(this.#log, subject, known.sequence + 1)) === undefined) return known;
    this.#large.delete(subject);
    const message = await lastFromLeader(this.#log, subject);
    if (!message) return undefined;
    const found = { subject: message.subject, sequence: message.sequence };
    if (message.bytes >= largeBytes) this.#large.set(subject, found);
    return found;
  }
}
