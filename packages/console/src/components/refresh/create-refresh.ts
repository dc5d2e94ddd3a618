export interface Refresh {
  /** Asks for a run: at once, or after the present one and the pause. */
  request(): void;
  /** No run begins after it. */
  end(): void;
}

/**
 * Runs an act whenever something has changed: one run at a time, with a pause between them, and once more if something changed
 * after the last one began.
 *
 * @param act must not throw
 * @param pauseMs from the end of a run, in milliseconds
 */
export function createRefresh(act: () => Promise<unknown>, pauseMs: number): Refresh {
  let isWanted = false;
  let isBusy = false;
  let hasEnded = false;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const run = async () => {
    if (isBusy || !isWanted || hasEnded) return;
    isBusy = true;
    isWanted = false;
    await act();
    pause = setTimeout(() => {
      isBusy = false;
      void run();
    }, pauseMs);
  };
  return {
    request: () => {
      isWanted = true;
      void run();
    },
    end: () => {
      hasEnded = true;
      clearTimeout(pause);
    },
  };
}
