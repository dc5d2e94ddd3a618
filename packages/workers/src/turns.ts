/** Lets works with the same key go on one after the other, in the order in which they came; others do not wait for them. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Waits until the works that came before are done, and then does this one.
   * @throws the signal's reason when it is aborted before the turn comes; what the work throws
   */
  async take<T>(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const before = this.#last.get(key);
    const { promise: done, resolve: end } = Promise.withResolvers<void>();
    // Also one that leaves before its turn keeps those behind it waiting for what is in front of it.
    const last = before === undefined ? done : before.then(() => done);
    this.#last.set(key, last);
    const forget = () => {
      if (this.#last.get(key) === last) this.#last.delete(key);
    };
    let hasTurn = before === undefined;
    try {
      if (before !== undefined) await untilAborted(before, signal);
      hasTurn = true;
      return await work();
    } finally {
      end();
      if (hasTurn) forget();
      else void last.then(forget);
    }
  }

  /** How many keys have a work that is not done. */
  get size(): number {
    return this.#last.size;
  }
}

async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
