export interface LineLimitOptions {
  /** How many lines are written in one period; 10 unless given. */
  readonly most?: number;
  /** How long a period is, in milliseconds; a minute unless given. */
  readonly periodMs?: number;
}

/** What a line says of those before it: how many were left out. */
export interface AboutOmitted {
  readonly omitted?: number;
}

/** Keeps a log readable while the same thing fails many times, such as for each event while a store is away. */
export class LineLimit {
  readonly #most: number;
  readonly #periodMs: number;
  #beganAt = Number.NEGATIVE_INFINITY;
  #written = 0;
  #omitted = 0;

  constructor({ most = 10, periodMs = 60_000 }: LineLimitOptions = {}) {
    this.#most = most;
    this.#periodMs = periodMs;
  }

  /** Calls back to write a line, unless there were enough of them in this period. */
  write(line: (about: AboutOmitted) => void): void {
    const now = performance.now();
    if (now - this.#beganAt >= this.#periodMs) {
      this.#beganAt = now;
      this.#written = 0;
    }
    if (this.#written >= this.#most) {
      this.#omitted += 1;
      return;
    }
    this.#written += 1;
    const omitted = this.#omitted;
    this.#omitted = 0;
    line(omitted > 0 ? { omitted } : {});
  }
}
