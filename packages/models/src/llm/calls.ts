import { ModelError } from '../model-error.ts';
import { toFailure } from './failure.ts';
import type { Limiter } from './limiter.ts';
import type { Redaction } from './secrets.ts';

export interface CallsOptions {
  readonly limiter: Limiter;
  readonly timeoutMs: number;
  readonly maxRetries: number;
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
const longestAskedDelayMs = 60_000;
/** A server that does not answer gets fewer tries than one that does: each costs the whole timeout. */
const maxTimeouts = 2;

export function createCalls(options: CallsOptions): Calls {
  return {
    run: async (model, attempt, signal) => {
      let timeouts = 0;
      for (let tries = 1; ; tries += 1) {
        try {
          return await options.limiter.run(() => withTimeout(attempt, options.timeoutMs, model, signal), signal);
        } catch (error) {
          signal?.throwIfAborted();
          const failure = toFailure(error, { model, redact: options.redact, now: options.clock() });
          if (failure.error.code === 'timeout') timeouts += 1;
          const delayMs = delayBefore(tries, failure.error, options.random);
          if (!failure.canRetry || tries > options.maxRetries || timeouts >= maxTimeouts || delayMs === undefined)
            throw failure.error;
          options.onRetry(failure.error, delayMs);
          await options.sleep(delayMs, signal);
        }
      }
    },
  };
}

/** Doubles with every try, less a random part, so that many callers do not come back together; never earlier than the server asked. Undefined when that is too late. */
function delayBefore(tries: number, { retryAfterMs }: ModelError, random: () => number): number | undefined {
  const longest = Math.min(longestDelayMs, firstDelayMs * 2 ** (tries - 1));
  const own = Math.round(longest * (0.5 + random() / 2));
  if (retryAfterMs === undefined) return own;
  return retryAfterMs > longestAskedDelayMs ? undefined : retryAfterMs + Math.round(firstDelayMs * random());
}

/** Also holds for an attempt that does not listen to its signal. */
async function withTimeout<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
  model: string,
  outer: AbortSignal | undefined,
): Promise<T> {
  const abort = new AbortController();
  const tooLong = new ModelError('timeout', `${model}: no answer within ${timeoutMs / 1000} s.`);
  const timer = setTimeout(() => abort.abort(tooLong), timeoutMs);
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
