import { Counts } from '@mneme/workers/counts';
import { createFairLimiter } from '@mneme/workers/fair-limiter';
import { unavailable } from '../../errors.ts';

/** How many bytes all bodies together may take: more than forty of the longest, unless it is set to be longer. */
const defaultMaxBytes = 256 * 1_024 * 1_024;
/** Each takes more memory than its result while it runs, which is not counted. */
const decompressionsAtOnce = 2;
const maxWaitingDecompressions = 1_000;
/** They take milliseconds; one that takes longer lets others begin. */
const maxHoldMs = 1_000;

/** The body of a request that is not answered yet. */
export interface HeldBody {
  /** The refusal, as soon as what has come of the body has to give way to another one. */
  readonly refused: Promise<Error>;
  /**
   * Says how many bytes it takes now.
   * @throws WireError 503 when there is no room for so many, or it was released
   */
  resize(bytes: number): void;
  /** All of it has come. From now on it gives way to no other. */
  endReceiving(): void;
  release(): void;
  /**
   * Decompresses it, when it is its turn: round-robin to the owners.
   * @throws WireError 503 when too many wait; and what `act` throws
   */
  decompress(act: () => Promise<Buffer>): Promise<Buffer>;
}

/**
 * Bounds the memory for the bodies of requests that are not answered yet. The bodies of one owner may take as much as is left
 * then: one alone half of it, and there is always room for others. The rule is that of dynamic thresholds for the shared
 * memory of switches, with factor 1 (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998).
 *
 * Above that, the oldest body that is still being received of the owner with most gives way, so that callers who stop sending
 * keep no one from sending for long.
 */
export class HeldBodies {
  readonly #maxBytes: number;
  readonly #bytesOf = new Counts<string>();
  /** The bodies of each owner of which something, but not all, has come, the oldest first. */
  readonly #receiving = new Map<string, Set<Held>>();
  #bytes = 0;
  readonly #decompressions = createFairLimiter({
    atOnce: decompressionsAtOnce,
    maxWaiting: maxWaitingDecompressions,
    maxHoldMs,
    refusal: tooMany,
  });

  constructor(maxBytes = defaultMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  begin(owner: string): HeldBody {
    const held = new Held(owner);
    return {
      refused: held.refused.promise,
      resize: (bytes) => this.#resize(held, bytes),
      endReceiving: () => this.#endReceiving(held),
      release: () => this.#release(held),
      decompress: (act) => this.#decompressions.run([owner, ''], act),
    };
  }

  #resize(held: Held, bytes: number): void {
    if (held.isReleased) throw tooMany();
    const more = bytes - held.bytes;
    while (more > 0 && this.#bytesOf.of(held.owner) + more > this.#maxBytes - this.#bytes - more) {
      const other = this.#firstToGive(held.owner, more);
      if (other === undefined || other === held) throw tooMany();
      this.#release(other);
      other.refused.resolve(tooMany());
    }
    this.#count(held, bytes);
    if (held.isReceiving) this.#receivingOf(held.owner).add(held);
  }

  #release(held: Held): void {
    held.isReleased = true;
    this.#endReceiving(held);
    this.#count(held, 0);
  }

  #endReceiving(held: Held): void {
    held.isReceiving = false;
    const others = this.#receiving.get(held.owner);
    others?.delete(held);
    if (others?.size === 0) this.#receiving.delete(held.owner);
  }

  #count(held: Held, bytes: number): void {
    const more = bytes - held.bytes;
    held.bytes = bytes;
    this.#bytes += more;
    this.#bytesOf.add(held.owner, more);
  }

  #receivingOf(owner: string): Set<Held> {
    const known = this.#receiving.get(owner);
    if (known) return known;
    const bodies = new Set<Held>();
    this.#receiving.set(owner, bodies);
    return bodies;
  }

  /** @param more what the owner needs besides what it has */
  #firstToGive(owner: string, more: number): Held | undefined {
    let [most, bytes] = [owner, this.#bytesOf.of(owner) + more];
    for (const other of this.#receiving.keys()) {
      if (this.#bytesOf.of(other) > bytes) [most, bytes] = [other, this.#bytesOf.of(other)];
    }
    return this.#receiving.get(most)?.values().next().value;
  }
}

class Held {
  readonly owner: string;
  readonly refused = Promise.withResolvers<Error>();
  bytes = 0;
  isReceiving = true;
  isReleased = false;

  constructor(owner: string) {
    this.owner = owner;
  }
}

function tooMany(): Error {
  return unavailable('Too many large bodies are being received; send fewer at once, or try again later');
}
