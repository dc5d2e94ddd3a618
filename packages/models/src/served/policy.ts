import { createLimiter } from '@mneme/workers';
import { createRedaction, messageToLog } from '../client/failure.ts';
import { createRateLimit } from '../client/rate-limit.ts';
import { createRequestPolicy, type RequestPolicy, type RequestPolicyOptions } from '../client/request-policy.ts';
import type { ModelsConfig } from '../config.ts';
import type { ModelError } from '../model-error.ts';
import type { ModelsDeps, ModelUsage } from '../models.ts';
import type { Urgency } from '../ports.ts';

/** What the adapters of model servers need from outside. */
export interface ServedDeps extends Required<Pick<ModelsDeps, 'clock' | 'sleep'>> {
  readonly logger: ModelsDeps['logger'];
  readonly onUsage: (usage: ModelUsage) => void;
}

export interface PolicyOptions {
  readonly timeoutMs: number;
  readonly maxRetryAfterMs?: number;
  /** Keys, which no message may contain. */
  readonly secrets: readonly (string | undefined)[];
}

/** What waits for a request: a question, a caller that reads an answer or a background, a batch, or nothing. */
export type RequestUrgency = Urgency | 'answer';

/** Which requests go first, of those that wait. A question waits for one embedding, an answer takes seconds anyway. */
const priorities: Readonly<Record<RequestUrgency, number>> = { question: 3, answer: 2, batch: 1, background: 0 };

type Patience = Pick<RequestPolicyOptions, 'maxRetryAfterMs' | 'maxLimitedMs'>;

/** The longest wait of a question for a rate limit, in milliseconds. Beyond it, the caller gets an error. */
const questionWaitMs = 10_000;
/** How long a batch waits at a rate limit, in milliseconds: nobody waits for it any more. Five attempts make half an hour. */
const batchWaitMs = 6 * 60_000;

/** A request policy for each urgency. They share the limits of concurrent requests and of the server. */
export type Policies = Readonly<Record<RequestUrgency, RequestPolicy>>;

/** The request policies of one model, with the limits of the configuration. */
export function createPolicies(
  config: ModelsConfig,
  { logger, clock, sleep }: ServedDeps,
  { secrets, ...times }: PolicyOptions,
): Policies {
  const shared = {
    ...times,
    limiter: createLimiter(config.LLM_CONCURRENCY),
    rateLimit: createRateLimit({
      random: Math.random,
      onPause: ({ code, status, message }, pauseMs) =>
        logger?.warn({ code, status, pauseMs }, `${message} All requests to the model wait.`),
    }),
    maxRetries: config.LLM_MAX_RETRIES,
    redact: createRedaction(secrets),
    clock,
    sleep,
    random: Math.random,
    onRetry: (error: ModelError, delayMs: number) =>
      logger?.warn({ code: error.code, status: error.status, delayMs }, `${messageToLog(error)} Trying again.`),
  };
  const of = (urgency: RequestUrgency, patience: Patience = {}) =>
    createRequestPolicy({ ...patience, ...shared, priority: priorities[urgency] });
  return {
    question: of('question', { maxRetryAfterMs: questionWaitMs }),
    answer: of('answer'),
    batch: of('batch', { maxLimitedMs: batchWaitMs }),
    background: of('background'),
  };
}
