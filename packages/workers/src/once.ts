/** Does the work when it is first asked for; everybody gets the same outcome. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => {
    started ??= work();
    return started;
  };
}

/**
 * Runs some work at most once at a time. Who asks for it while it is under way waits for that run.
 * @returns starts the work, or joins the run that is under way; resolves or rejects as that run does
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
