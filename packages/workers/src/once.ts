/** Runs some work at the first call. All calls get the same outcome. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => {
    started ??= work();
    return started;
  };
}

/**
 * Runs some work at most once at a time. A call while it runs waits for that run.
 * @returns a function that starts the work or joins the current run; it resolves or rejects as that run does
 */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
