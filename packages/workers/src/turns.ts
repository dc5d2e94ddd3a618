export interface TurnOptions {
  readonly signal: AbortSignal;
  /**
   * What those who wait behind a work that fails with this error fail with at once, instead of being done; undefined, if it is
   * the failure of that work alone, which is so unless given.
   */
  readonly sharedFailure?: ((error: unknown) => Error | undefined) | undefined;
}

/** Lets works with the same key go on one after the other, in the order in which they came; others do not wait for them. */
export class Turns {
  /** They resolve with the failure that those behind share. */
  readonly #last = new Map<string, Promise<Error | undefined>>();

  /**
   * Waits until the works that came before are done, and then does this one.
   * @throws the signal's reason when it is aborted before the turn comes; what the work throws; the shared failure of a work
   * that came before
   */
  async take<T>(key: string, work: () => Promise<T>, { signal, sharedFailure }: TurnOptions): Promise<T> {
    signal.throwIfAborted();
    const before = this.#last.get(key);
    const { promise: done, resolve: end } = Promise.withResolvers<Error | undefined>();
    // Also one that leaves before its turn keeps those behind it waiting for what is in front of it.
    const last = before === undefined ? done : before.then((failure) => failure ?? done);
    this.#last.set(key, last);
    const forget = () => {
      if (this.#last.get(key) === last) this.#last.delete(key);
    };
    let hasTurn = before === undefined;
    let shared: Error | undefined;
    try {
      const failure = before && (await untilAborted(before, signal));
      hasTurn = true;
      if (failure) throw failure;
      return await work();
    } catch (error) {
      shared = hasTurn ? sharedFailure?.(error) : undefined;
      throw error;
    } finally {
      end(shared);
      if (hasTurn) forget();
      else void last.then(forget);
    }
  }

  /** How many keys have a work that is not done. */
  get size(): number {
    return this.#last.size;
  }
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
