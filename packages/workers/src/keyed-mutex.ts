export interface MutexOptions {
  /** A task leaves the queue when this is aborted. */
  readonly signal?: AbortSignal;
  /**
   * Returns the error with which the tasks that wait behind a failed one fail at once, instead of being run; undefined if
   * they are run. Default: they are run.
   */
  readonly sharedFailure?: (error: unknown) => Error | undefined;
}

/** Runs tasks with the same key one after the other, in the order of the calls. Tasks with other keys do not wait for them. */
export class KeyedMutex {
  /** By key: settles when the last task has ended, with the failure that those behind it share. */
  readonly #last = new Map<string, Promise<Error | undefined>>();

  /**
   * Waits until the earlier tasks with the key have ended, then runs this one.
   * @throws the signal's reason when it is aborted while the task waits; what the task throws; the shared failure of an
   * earlier task
   */
  async run<T>(key: string, task: () => Promise<T>, { signal, sharedFailure }: MutexOptions = {}): Promise<T> {
    signal?.throwIfAborted();
    const before = this.#last.get(key);
    const { promise: done, resolve: end } = Promise.withResolvers<Error | undefined>();
    // A task that leaves the queue still keeps those behind it waiting for what is in front of it.
    const last = before === undefined ? done : before.then((failure) => failure ?? done);
    this.#last.set(key, last);
    const forget = () => {
      if (this.#last.get(key) === last) this.#last.delete(key);
    };
    let hasWaited = before === undefined;
    let shared: Error | undefined;
    try {
      const failure = before && (await untilAborted(before, signal));
      hasWaited = true;
      if (failure) throw failure;
      return await task();
    } catch (error) {
      shared = hasWaited ? sharedFailure?.(error) : undefined;
      throw error;
    } finally {
      end(shared);
      if (hasWaited) forget();
      else void last.then(forget);
    }
  }

  /** The number of keys with tasks that run or wait. */
  get size(): number {
    return this.#last.size;
  }
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
