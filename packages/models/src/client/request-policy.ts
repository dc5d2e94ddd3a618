import type { Limiter } from '@mneme/workers';
import pMap from 'p-map';
import { ModelError } from '../model-error.ts';
import { limitedFor, type Redaction, toModelError } from './failure.ts';
import { observeRequest } from './observe-request.ts';
import type { Pause, RateLimit } from './rate-limit.ts';

export interface RequestPolicyOptions {
  readonly limiter: Limiter;
  /** Shared by all requests to the model. */
  readonly rateLimit: RateLimit;
  /** Of its requests, among all that wait for the limiter; 0 by default. */
  readonly priority?: number;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** A longer `Retry-After` ends the retries; 60 s by default. */
  readonly maxRetryAfterMs?: number;
  /**
   * Refusals because of a rate limit do not count as attempts until the request has waited so long for them together: in
   * pauses without an answer of the model to any request, or alone. 0 by default: they count.
   */
  readonly maxLimitedMs?: number;
  readonly redact: Redaction;
  readonly clock: () => Date;
  readonly sleep: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
  /** 0 to below 1. */
  readonly random: () => number;
  readonly onRetry: (error: ModelError, delayMs: number) => void;
}

/** How every request to a model server is made: with bounded concurrency, a timeout per attempt, and retries of transient errors. */
export interface RequestPolicy {
  /**
   * @param model `<provider>:<model>`, for messages
   * @param attempt must end soon after its signal is aborted
   * @throws ModelError, or the reason of the caller's signal
   */
  run<T>(model: string, attempt: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

const firstDelayMs = 500;
const longestDelayMs = 30_000;
const defaultMaxRetryAfterMs = 60_000;
/** Fewer than other retries, since each one takes the whole timeout. */
const maxTimeouts = 2;

/** Not p-retry, which cannot take the delay from `Retry-After` and would keep the limiter's place while it waits. */
export function createRequestPolicy(options: RequestPolicyOptions): RequestPolicy {
  const { limiter, rateLimit, priority, timeoutMs, redact, clock, maxRetryAfterMs = defaultMaxRetryAfterMs } = options;
  const isShort = ({ retryAfterMs = 0 }: ModelError) => retryAfterMs <= maxRetryAfterMs;
  const tryOnce = <T>(
    model: string,
    attempt: (signal: AbortSignal) => Promise<T>,
    isAlone: boolean,
    signal?: AbortSignal,
  ) =>
    observeRequest(model, async () => {
      const startedAtMs = performance.now();
      try {
        const answer = await withTimeout(attempt, timeoutMs, model, signal);
        rateLimit.answered(startedAtMs);
        return answer;
      } catch (error) {
        signal?.throwIfAborted();
        const failure = toModelError(error, { model, redact, now: clock() });
        if (failure.code === 'rate-limited' && isShort(failure) && !isAlone) rateLimit.refused(failure, startedAtMs);
        throw failure;
      }
    });
  return {
    run: async (model, attempt, signal) => {
      const retryDelayMs = createRetryDelays(options);
      const pauses = createPauses(options);
      // A pause may begin while the request waits for its turn.
      const tryUnlessPaused = async () =>
        pauses.isPaused() ? undefined : { answer: await tryOnce(model, attempt, pauses.isAlone(), signal) };
      for (;;) {
        await pauses.wait(model, signal);
        try {
          const done = await limiter.run(tryUnlessPaused, signal, priority);
          if (done) return done.answer;
        } catch (error) {
          signal?.throwIfAborted();
          const failure = toModelError(error, { model, redact, now: clock() });
          const delayMs = pauses.haveTimeFor(failure) ? 0 : retryDelayMs(failure);
          if (delayMs === undefined || !isShort(failure)) throw failure;
          // All requests wait for the pause that has begun, and so does this one.
          if (failure.code === 'rate-limited') {
            await pauses.noteRefusal(failure, signal);
            continue;
          }
          options.onRetry(failure, delayMs);
          await options.sleep(delayMs, signal);
        }
      }
    },
  };
}

/** How often a request is refused before it waits alone, if others are answered. It may be too large for the limit. */
const mostRefusals = 3;

/** The pauses of a rate limit, as one request waits for them. */
function createPauses({
  rateLimit,
  sleep,
  random,
  onRetry,
  maxRetryAfterMs = defaultMaxRetryAfterMs,
  maxLimitedMs = 0,
}: RequestPolicyOptions) {
  let over: Pause | undefined;
  let refusals = 0;
  /** In pauses since the last answer to any request. Others that are answered may be ahead of this one in a long queue. */
  let pausedMs = 0;
  let seenAnswers = rateLimit.answers();
  /** Not forgotten when others are answered, so that a request that is too large comes to its end. */
  let aloneMs = 0;
  const answers = rateLimit.answers();
  const isAlone = () => refusals >= mostRefusals && rateLimit.answers() > answers;
  const present = () => {
    const pause = rateLimit.pause();
    return pause === over || !pause || pause.endsAtMs <= performance.now() ? undefined : pause;
  };
  return {
    isAlone,
    isPaused: () => present() !== undefined,
    /** @throws ModelError when the pause is longer than the request may wait */
    wait: async (model: string, signal: AbortSignal | undefined) => {
      for (let pause = present(); pause; pause = present()) {
        const leftMs = pause.endsAtMs - performance.now();
        if (leftMs > maxRetryAfterMs) throw limitedFor(leftMs, model, pause.failure);
        pausedMs = (seenAnswers === rateLimit.answers() ? pausedMs : 0) + leftMs;
        seenAnswers = rateLimit.answers();
        // Not all requests begin at the end of the pause.
        await sleep(Math.round(leftMs + firstDelayMs * random()), signal);
        over = pause;
      }
    },
    /** One that was refused while others are answered makes only itself wait. */
    noteRefusal: async (failure: ModelError, signal: AbortSignal | undefined) => {
      refusals += 1;
      if (!isAlone()) return;
      const delayMs = delayAfter(failure, refusals, random);
      aloneMs += delayMs;
      onRetry(failure, delayMs);
      await sleep(delayMs, signal);
    },
    /** Whether a request that was refused for this reason may wait without counting it as an attempt. */
    haveTimeFor: ({ code }: ModelError) => code === 'rate-limited' && Math.max(pausedMs, aloneMs) < maxLimitedMs,
  };
}

/** Returns a function that gives, after each failure of a request, the delay before the next attempt; undefined for no further attempt. */
function createRetryDelays({ maxRetries, random }: RequestPolicyOptions) {
  let attempts = 0;
  let timeouts = 0;
  return (error: ModelError): number | undefined => {
    attempts += 1;
    if (error.code === 'timeout') timeouts += 1;
    if (!error.isPassing || attempts > maxRetries || timeouts >= maxTimeouts) return undefined;
    return delayAfter(error, attempts, random);
  };
}

/** In milliseconds, and no shorter than the server asks for. */
function delayAfter({ retryAfterMs = 0 }: ModelError, attempts: number, random: () => number): number {
  return Math.round(Math.max(backoffMs(attempts, random), retryAfterMs + firstDelayMs * random()));
}

/** Exponential backoff with jitter, so that many callers do not retry at the same time. */
function backoffMs(attempts: number, random: () => number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (attempts - 1)) * (0.5 + random() / 2);
}

/**
 * Ends with a `timeout` after the time, also when `work` does not listen to its signal.
 *
 * @param outer the caller's signal, whose reason is thrown when it is aborted
 */
export async function withTimeout<T>(
  work: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
  model: string,
  outer: AbortSignal | undefined,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = outer === undefined ? timeout : AbortSignal.any([timeout, outer]);
  try {
    return await Promise.race([work(signal), rejection(signal)]);
  } catch (error) {
    outer?.throwIfAborted();
    if (timeout.aborted) throw new ModelError('timeout', `${model}: no answer within ${timeoutMs / 1000} s.`);
    throw error;
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * Maps items with bounded concurrency and keeps their order. The first failure aborts the others.
 *
 * @param run its signal is aborted with the caller's, or when another item has failed
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  run: (item: Item, signal: AbortSignal) => Promise<Result>,
  outer?: AbortSignal,
): Promise<Result[]> {
  const failed = new AbortController();
  const signal = outer === undefined ? failed.signal : AbortSignal.any([outer, failed.signal]);
  try {
    return await pMap(items, (item) => run(item, signal), { concurrency, ...(outer && { signal: outer }) });
  } catch (error) {
    failed.abort(new Error('Another part has failed'));
    throw error;
  }
}
