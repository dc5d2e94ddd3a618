import type { Limiter } from '@mneme/workers';
import { ModelError } from '../model-error.ts';
import { toModelError } from './failure.ts';
import type { Redaction } from './redaction.ts';

export interface CallsOptions {
  readonly limiter: Limiter;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** A server that asks to wait longer is not waited for; 60 s unless given. */
  readonly longestAskedDelayMs?: number;
  readonly redact: Redaction;
  readonly clock: () => Date;
  readonly sleep: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
  /** 0 to below 1. */
  readonly random: () => number;
  readonly onRetry: (error: ModelError, delayMs: number) => void;
}

/** The one policy by which servers of models are called: a bound on how many at once, a timeout for each try, and tries again after faults that pass. */
export interface Calls {
  /**
   * @param model `<provider>:<model>`, for messages
   * @param attempt must end soon after its signal is aborted
   * @throws ModelError, or the reason of the caller's signal
   */
  run<T>(model: string, attempt: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

const firstDelayMs = 500;
const longestDelayMs = 30_000;
/** A server that asks for more than this has to be asked again by whoever asked for the call. */
const usualLongestAskedDelayMs = 60_000;
/** A server that does not answer gets fewer tries than one that does: each costs the whole timeout. */
const maxTimeouts = 2;

export function createCalls(options: CallsOptions): Calls {
  const { limiter, timeoutMs, redact, clock } = options;
  return {
    run: async (model, attempt, signal) => {
      const mayTryAgain = createPatience(options);
      for (;;) {
        try {
          return await limiter.run(() => withTimeout(attempt, timeoutMs, model, signal), signal);
        } catch (error) {
          signal?.throwIfAborted();
          const failure = toModelError(error, { model, redact, now: clock() });
          const delayMs = mayTryAgain(failure);
          if (delayMs === undefined) throw failure;
          options.onRetry(failure, delayMs);
          await options.sleep(delayMs, signal);
        }
      }
    },
  };
}

/** Makes a function that says, after each failure of one call, how long to wait for the next try; undefined when there is none. */
function createPatience({ maxRetries, random, longestAskedDelayMs = usualLongestAskedDelayMs }: CallsOptions) {
  let tries = 0;
  let timeouts = 0;
  return (error: ModelError): number | undefined => {
    tries += 1;
    if (error.code === 'timeout') timeouts += 1;
    if (!error.isPassing || tries > maxRetries || timeouts >= maxTimeouts) return undefined;
    const { retryAfterMs = 0 } = error;
    if (retryAfterMs > longestAskedDelayMs) return undefined;
    return Math.round(Math.max(backoffMs(tries, random), retryAfterMs + firstDelayMs * random()));
  };
}

/** Doubles with every try, less a random part, so that many callers do not come back together. */
function backoffMs(tries: number, random: () => number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (tries - 1)) * (0.5 + random() / 2);
}

/** Also holds for an attempt that does not listen to its signal. */
async function withTimeout<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
  model: string,
  outer: AbortSignal | undefined,
): Promise<T> {
  const abort = new AbortController();
  const tooLong = () => new ModelError('timeout', `${model}: no answer within ${timeoutMs / 1000} s.`);
  const timer = setTimeout(() => abort.abort(tooLong()), timeoutMs);
  const follow = () => abort.abort(outer?.reason);
  outer?.addEventListener('abort', follow, { once: true });
  try {
    return await Promise.race([attempt(abort.signal), rejection(abort.signal)]);
  } catch (error) {
    throw abort.signal.aborted ? abort.signal.reason : error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', follow);
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
