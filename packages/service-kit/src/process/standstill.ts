/** How often to look at the clock, in milliseconds. */
const periodMs = 1_000;
/** Shorter waits are those of a busy process, in milliseconds. */
const shortestMs = 1_000;
/** For so long after a standstill, in milliseconds, messages are read that came during it. */
const readingMs = 2_000;

/**
 * Notices when this process was stopped for a while, as by a suspended container, a debugger or long swapping. What it reads
 * right after that may be as old as the standstill. By the monotonic clock of this machine, so that clocks need not agree.
 */
export class Standstill {
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #lastLookMs: number;
  #lastedMs = 0;
  #endedAtMs = Number.NEGATIVE_INFINITY;

  /** @param now the monotonic time in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#lastLookMs = now();
    this.#timer = setInterval(() => this.#look(), periodMs).unref();
  }

  /** How old a message may be that is read now, in milliseconds, beside its way; 0 unless the process has just stood still. */
  ageMs(): number {
    this.#look();
    return this.#now() - this.#endedAtMs <= readingMs ? this.#lastedMs : 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = this.#now();
    const lateMs = Math.max(0, now - this.#lastLookMs - periodMs);
    this.#lastLookMs = now;
    const isReading = now - lateMs - this.#endedAtMs <= readingMs;
    if (lateMs >= shortestMs) {
      this.#lastedMs = lateMs + (isReading ? this.#lastedMs : 0);
      this.#endedAtMs = now;
    } else if (isReading) {
      // Reading counts in time in which the process ran.
      this.#endedAtMs += lateMs;
    }
  }
}
