/** How long nothing may come of what is expected, in milliseconds; twice, since this process may have been busy. */
const defaultPeriodMs = 5_000;

/** Notices that what is expected does not come any more, such as the parts of a reply whose sender was killed. */
export class StallWatch {
  readonly #timer: NodeJS.Timeout;
  #isSuspected = false;

  /**
   * @param isExpected whether something has been asked for and not come
   * @param onStall called when nothing has come for two periods in a row
   */
  constructor(isExpected: () => boolean, onStall: () => void, periodMs: number = defaultPeriodMs) {
    this.#timer = setInterval(() => {
      if (!isExpected()) return this.progress();
      // What came in while this process was busy is read after the timers, so that the first time proves nothing.
      if (this.#isSuspected) onStall();
      this.#isSuspected = true;
    }, periodMs);
  }

  /** Something has come. */
  progress(): void {
    this.#isSuspected = false;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
