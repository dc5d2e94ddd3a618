import type { WireError } from '@mneme/contracts';
import { LRUCache } from 'lru-cache';
import { tooManyRequests } from '../../errors.ts';

/** Keeps a flood of requests to one webhook from slowing down the others. */
export interface WebhookRateLimit {
  /**
   * Counts one request.
   * @throws WireError 429 when the webhook has had too many
   */
  take(webhookId: number): void;
}

export interface WebhookRateLimitOptions {
  /** How many requests per second a webhook may receive in the long run; twice as many at once. */
  readonly perSecond: number;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
}

/** The requests of how many seconds may come at once. */
const burstSeconds = 2;
/** The number of webhooks whose buckets are stored; a webhook that is evicted starts with a full bucket. */
const maxWebhooks = 10_000;

/** How many requests a webhook had left at a time. */
interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** A token bucket for each webhook, in this gateway. */
export function createWebhookRateLimit({ perSecond, clock }: WebhookRateLimitOptions): WebhookRateLimit {
  const capacity = perSecond * burstSeconds;
  const buckets = new LRUCache<number, Bucket>({ max: maxWebhooks });
  return {
    take: (webhookId) => {
      const now = clock();
      const { tokens, atMs } = buckets.get(webhookId) ?? { tokens: capacity, atMs: now };
      const left = Math.min(capacity, tokens + ((now - atMs) / 1_000) * perSecond);
      if (left < 1) throw tooMany(perSecond, (1 - left) / perSecond);
      buckets.set(webhookId, { tokens: left - 1, atMs: now });
    },
  };
}

function tooMany(perSecond: number, waitSeconds: number): WireError {
  const message = `The webhook may receive ${perSecond} requests a second; send it again later`;
  return tooManyRequests(message, Math.max(1, Math.ceil(waitSeconds)));
}
