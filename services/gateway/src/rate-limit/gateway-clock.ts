import { aheadOf } from './sliding-window.ts';

/** How often the clock is compared, in milliseconds of use. */
const compareEveryMs = 10_000;
/** The clock was changed when it has moved by so much more or less than the time that has passed, in milliseconds. */
const jumpMs = 1_000;

export interface GatewayClockOptions {
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly clock: () => number;
  /** The same by the clock of the NATS server. */
  readonly serverTime: () => Promise<number>;
}

/**
 * The clock of this gateway without what it is ahead of the server's, by which requests would leave the windows of keys too
 * early, for all gateways. What a clock is behind shows in what others have counted.
 */
export class GatewayClock {
  readonly #options: GatewayClockOptions;
  #aheadMs = 0;
  /** When it was last compared: by this clock, and by one that does not jump. */
  #compared = { atMs: 0, monotonicMs: Number.NEGATIVE_INFINITY };
  /** The comparison that is under way, for all keys. */
  #comparing: Promise<void> | undefined;

  constructor(options: GatewayClockOptions) {
    this.#options = options;
  }

  now(): number {
    return this.#options.clock() - this.#aheadMs;
  }

  /** Compares it with the server's if that is due. @throws WireError 503 when the server cannot be asked */
  async compare(): Promise<void> {
    const { clock } = this.#options;
    const passedMs = performance.now() - this.#compared.monotonicMs;
    const isChanged = Math.abs(clock() - this.#compared.atMs - passedMs) > jumpMs;
    if (passedMs < compareEveryMs && !isChanged) return;
    this.#comparing ??= this.#compareNow().finally(() => {
      this.#comparing = undefined;
    });
    await this.#comparing;
  }

  async #compareNow(): Promise<void> {
    const { clock, serverTime } = this.#options;
    const serverMs = await serverTime();
    this.#aheadMs = aheadOf(clock(), serverMs);
    this.#compared = { atMs: clock(), monotonicMs: performance.now() };
  }
}
