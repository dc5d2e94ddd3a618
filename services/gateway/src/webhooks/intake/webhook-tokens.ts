import { type WebhookToken, webhookTokenSchema } from '@mneme/contracts';
import type { ConnectionWatch } from '@mneme/event-store';
import type { KV } from '@nats-io/kv';
import { readRecord } from '../../buckets.ts';
import { joinReads } from './joined-reads.ts';

/** Finds webhooks by the SHA-256 of their token, in hexadecimal. */
export interface WebhookTokens {
  /** What is known about the webhook now; undefined when there is none. @throws WireError 503 when the records are being made again */
  find(tokenHash: string): Promise<WebhookToken | undefined>;
}

/** Reads the bucket `webhook-tokens` for every call after it came, so that a change holds from the next call. */
export function createWebhookTokens({ bucket, watch }: { bucket: KV; watch: ConnectionWatch }): WebhookTokens {
  return {
    find: joinReads(async (tokenHash) => {
      const entry = await readRecord({ bucket, watch }, tokenHash);
      return entry ? webhookTokenSchema.parse(entry.json()) : undefined;
    }),
  };
}
