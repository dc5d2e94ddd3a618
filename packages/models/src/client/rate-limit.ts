import type { ModelError } from '../model-error.ts';

/** The time in which a model gets no request, because its server has allowed no more. */
export interface Pause {
  readonly failure: ModelError;
  /** By the monotonic clock, in milliseconds. */
  readonly endsAtMs: number;
}

/** What is known of the rate limit of one model, for all requests to it. Times are those of the monotonic clock, in milliseconds. */
export interface RateLimit {
  /** The last pause, also when it is over. */
  pause(): Pause | undefined;
  /** How many requests were answered. */
  answers(): number;
  /** @param startedAtMs when the request began */
  answered(startedAtMs: number): void;
  refused(failure: ModelError, startedAtMs: number): void;
}

export interface RateLimitOptions {
  /** 0 to below 1. */
  readonly random: () => number;
  /** Called when a pause begins. */
  readonly onPause: (failure: ModelError, pauseMs: number) => void;
}

const firstPauseMs = 500;
/** Without a `Retry-After`, the longest pause is about 30 s. */
const highestLevel = 6;

/**
 * Each refusal doubles the pause, and each answer halves it: so it comes close to what the server allows, also where it does
 * not say so.
 */
export function createRateLimit({ random, onPause }: RateLimitOptions): RateLimit {
  let pause: Pause | undefined;
  let pausedAtMs = Number.NEGATIVE_INFINITY;
  let level = 0;
  let answers = 0;

  function begin(failure: ModelError, nowMs: number, askedMs: number) {
    const ownMs = firstPauseMs * 2 ** level * (0.5 + random() / 2);
    const pauseMs = Math.max(ownMs, askedMs);
    level = Math.min(level + 1, highestLevel);
    pausedAtMs = nowMs;
    pause = { failure, endsAtMs: nowMs + pauseMs };
    onPause(failure, Math.round(pauseMs));
  }

  return {
    pause: () => pause,
    answers: () => answers,
    answered: (startedAtMs) => {
      answers += 1;
      if (startedAtMs > pausedAtMs) level = Math.max(0, level - 1);
    },
    refused: (failure, startedAtMs) => {
      const nowMs = performance.now();
      const { retryAfterMs: askedMs = 0 } = failure;
      // Requests that were under way together are refused for the same reason.
      if (!pause || startedAtMs > pausedAtMs) begin(failure, nowMs, askedMs);
      else if (nowMs + askedMs > pause.endsAtMs) pause = { failure, endsAtMs: nowMs + askedMs };
    },
  };
}
