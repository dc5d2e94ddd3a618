import { createLimiter } from '@mneme/workers';
import { createRedaction } from '../client/failure.ts';
import { createRequestPolicy, type RequestPolicy } from '../client/request-policy.ts';
import type { ModelsConfig } from '../config.ts';
import type { ModelsDeps, ModelUsage } from '../models.ts';

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

/** The request policy with the limits of the configuration. */
export function createPolicy(
  config: ModelsConfig,
  { logger, clock, sleep }: ServedDeps,
  { secrets, ...times }: PolicyOptions,
): RequestPolicy {
  return createRequestPolicy({
    ...times,
    limiter: createLimiter(config.LLM_CONCURRENCY),
    maxRetries: config.LLM_MAX_RETRIES,
    redact: createRedaction(secrets),
    clock,
    sleep,
    random: Math.random,
    onRetry: (error, delayMs) =>
      logger?.warn({ code: error.code, status: error.status, delayMs }, `${error.message} Trying again.`),
  });
}
