/** Runs tasks, so many at once; the others wait in order. */
export interface Limiter {
  /** @throws the signal's reason when it is aborted before the task has begun */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createLimiter(maxRunning: number): Limiter {
  const waiting = new Set<() => void>();
  let running = 0;

  /** Whoever leaves gives the place to the next one directly, so that nobody can slip in between. */
  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  async function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (running >= maxRunning) return turn(waiting, signal);
    running += 1;
  }

  return {
    run: async (task, signal) => {
      await enter(signal);
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}

function turn(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = () => {
      waiting.delete(start);
      reject(signal?.reason);
    };
    waiting.add(start);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
