import { isWorthRepeating } from './error.ts';

/** The delay before the first repetition; it doubles with each further one. In milliseconds. */
const firstDelayMs = 250;
const maxDelayMs = 8_000;
/** A server that wants a longer pause gets no repetition: the caller decides. In seconds. */
const maxRetryAfter = 60;

export interface RetryOptions {
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
  readonly hasWaitLimit: boolean;
}

/**
 * Repeats what fails for a passing reason.
 *
 * @param options.retries how often, after the first try
 * @param options.hasWaitLimit 504 is final
 * @throws what `attempt` throws, and the reason of `signal`
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { retries, signal, hasWaitLimit }: RetryOptions,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isWorthRepeating(error) || failures >= retries) throw error;
      if (hasWaitLimit && error.status === 504) throw error;
      if ((error.retryAfter ?? 0) > maxRetryAfter) throw error;
      await sleep(retryDelayMs(failures, error.retryAfter), signal);
    }
  }
}

/**
 * Exponential backoff with jitter, so that the clients of a server that comes back do not all return at once.
 *
 * @param failures how many tries have failed before, from 0
 * @param retryAfter what the server asks for, in seconds; the delay is never shorter
 * @returns milliseconds
 */
export function retryDelayMs(failures: number, retryAfter?: number): number {
  const ceiling = Math.min(maxDelayMs, firstDelayMs * 2 ** failures);
  const jittered = ceiling * (0.5 + Math.random() / 2);
  return retryAfter === undefined ? jittered : retryAfter * 1_000 + jittered * 0.5;
}

/** @throws the reason of `signal` */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
