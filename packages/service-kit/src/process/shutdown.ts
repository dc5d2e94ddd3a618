import pTimeout from 'p-timeout';
import type { Logger } from './logger.ts';

/** How long a process may take to shut down, in milliseconds, so that it has ended within 20 s. */
const shutdownTimeoutMs = 19_000;

export interface Shutdown {
  /** Registers something to be closed. The last one added is closed first. */
  add(name: string, close: () => Promise<unknown> | unknown): void;
  /** Closes everything in reverse order, once; a second call waits for the first. Never throws: failures are logged. */
  close(): Promise<void>;
  /** Whether closing has begun. */
  isClosing(): boolean;
  /** Closes everything on SIGINT and SIGTERM, then exits the process. */
  onSignals(): void;
  /**
   * Closes everything, then exits the process with code 1: it cannot go on, for a reason that is logged. Does nothing when
   * closing has begun.
   */
  fail(reason: string): Promise<void>;
}

/** Creates the list of what a process closes when it shuts down. */
export function createShutdown(logger: Logger): Shutdown {
  const closers: { name: string; close: () => unknown }[] = [];
  let closing: Promise<void> | undefined;

  const closeAll = async () => {
    for (const { name, close } of closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        logger.error({ err: error }, `Could not close ${name}`);
      }
    }
  };
  const close = () => {
    closing ??= closeAll();
    return closing;
  };
  const exit = async (code: number) => {
    const timer = setTimeout(() => {
      logger.error(`Not everything could be closed within ${shutdownTimeoutMs} ms`);
      process.exit(1);
    }, shutdownTimeoutMs);
    await close();
    clearTimeout(timer);
    process.exit(code);
  };
  const closeOnSignal = (signal: string) => {
    logger.info(`Ending on ${signal}`);
    return exit(0);
  };

  return {
    add: (name, closer) => void closers.push({ name, close: closer }),
    close,
    isClosing: () => closing !== undefined,
    onSignals: () => {
      // A terminal that is closed sends SIGHUP.
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void closeOnSignal(signal));
    },
    fail: async (reason) => {
      if (closing) return;
      logger.fatal(reason);
      await exit(1);
    },
  };
}

/**
 * Waits until `promise` settles, at most `timeoutMs` milliseconds (more than 0).
 * @returns whether it settled in time; a rejection passes through
 */
export function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  return pTimeout(
    promise.then(() => true),
    { milliseconds: timeoutMs, fallback: () => false },
  );
}
