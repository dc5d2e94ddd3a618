import { LRUCache } from 'lru-cache';
import { tooManyRequests } from '../../errors.ts';

/** Bounds the requests to one webhook, so that a flood of them does not slow down the others. */
export interface WebhookRateLimit {
  /**
   * Counts nothing.
   * @throws WireError 429 when `take` would
   */
  assertLeft(webhookId: number): void;
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
  /** What callers are told above the limit. */
  readonly message: string;
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
export function createWebhookRateLimit({ perSecond, clock, message }: WebhookRateLimitOptions): WebhookRateLimit {
  const capacity = perSecond * burstSeconds;
  const buckets = new LRUCache<number, Bucket>({ max: maxWebhooks });
  const leftAt = (now: number, webhookId: number): number => {
    const { tokens, atMs } = buckets.get(webhookId) ?? { tokens: capacity, atMs: now };
    const left = Math.min(capacity, tokens + ((now - atMs) / 1_000) * perSecond);
    if (left < 1) throw tooManyRequests(message, Math.max(1, Math.ceil((1 - left) / perSecond)));
    return left;
  };
  return {
    assertLeft: (webhookId) => void leftAt(clock(), webhookId),
    take: (webhookId) => {
      const now = clock();
      buckets.set(webhookId, { tokens: leftAt(now, webhookId) - 1, atMs: now });
    },
  };
}
