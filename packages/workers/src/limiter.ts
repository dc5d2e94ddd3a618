import PQueue from 'p-queue';

/** Runs a limited number of tasks at once; the others wait, those of higher priority first, and otherwise in order. */
export interface Limiter {
  /** @throws the signal's reason when it is aborted before the task has begun */
  run<T>(task: () => Promise<T>, signal?: AbortSignal, priority?: number): Promise<T>;
}

export function createLimiter(maxRunning: number): Limiter {
  const queue = new PQueue({ concurrency: maxRunning });
  return {
    run: async (task, signal, priority = 0) => {
      signal?.throwIfAborted();
      // The queue is told of an abort only as long as the task waits: it would free the place of one that still runs.
      const waiting = new AbortController();
      const giveUp = () => waiting.abort(signal?.reason);
      signal?.addEventListener('abort', giveUp, { once: true });
      const begin = () => {
        signal?.removeEventListener('abort', giveUp);
        return task();
      };
      return queue.add(begin, { signal: waiting.signal, priority });
    },
  };
}
