import { aheadOf, behindOf } from './sliding-window.ts';

/** How often the clock is compared, in milliseconds of use. */
const compareEveryMs = 10_000;
/** The difference between how far the clock has moved and the time that has passed from which it counts as changed, in milliseconds. */
const jumpMs = 1_000;

export interface GatewayClockOptions {
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly clock: () => number;
  /** The same by the clock of the NATS server. */
  readonly serverTime: () => Promise<number>;
}

/** When the clock was compared: by itself, and by one that does not jump. */
interface Compared {
  readonly atMs: number;
  readonly monotonicMs: number;
}

/**
 * The clock of this gateway without what it is ahead of the server's, by which requests would leave the windows of keys too
 * early, for all gateways, or behind it, by which its own requests would be too old for the others.
 */
export class GatewayClock {
  readonly #options: GatewayClockOptions;
  #aheadMs = 0;
  #compared: Compared = { atMs: 0, monotonicMs: Number.NEGATIVE_INFINITY };
  /** The comparison that is under way, for all keys. */
  #comparing: Promise<number> | undefined;

  constructor(options: GatewayClockOptions) {
    this.#options = options;
  }

  now(): number {
    return this.#options.clock() - this.#aheadMs;
  }

  /**
   * Compares it with the server's if that is due. That is waited for only at first and when the clock has jumped, so that
   * requests are counted while the server is slow to tell the time.
   * @throws WireError 503 when the server cannot be asked then
   */
  async compare(): Promise<void> {
    const isChanged = this.#hasJumpedSince(this.#compared);
    if (performance.now() - this.#compared.monotonicMs < compareEveryMs && !isChanged) return;
    const comparing = this.compareNow();
    if (isChanged) await comparing;
    else comparing.catch(() => undefined);
  }

  /**
   * Compares it with the server's, once for all who ask at the same time.
   * @returns the time of the server, in milliseconds since 1970
   * @throws WireError 503 when the server cannot be asked
   */
  compareNow(): Promise<number> {
    this.#comparing ??= this.#compare().finally(() => {
      this.#comparing = undefined;
    });
    return this.#comparing;
  }

  async #compare(): Promise<number> {
    const { clock, serverTime } = this.#options;
    const asked = { atMs: clock(), monotonicMs: performance.now() };
    const serverMs = await serverTime();
    if (this.#hasJumpedSince(asked)) return this.#compare();
    // The answer may have been slow: it was given between the two times.
    this.#aheadMs = aheadOf(asked.atMs, serverMs) - behindOf(clock(), serverMs);
    this.#compared = asked;
    return serverMs;
  }

  #hasJumpedSince({ atMs, monotonicMs }: Compared): boolean {
    return Math.abs(this.#options.clock() - atMs - (performance.now() - monotonicMs)) > jumpMs;
  }
}
