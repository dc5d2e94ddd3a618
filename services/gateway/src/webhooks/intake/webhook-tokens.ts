import { type WebhookToken, webhookTokenSchema } from '@mneme/contracts';
import { type RecordBucket, readRecord } from '../../buckets.ts';
import { joinReads } from '../../joined-reads.ts';

/** Finds webhooks by the SHA-256 of their token, in hexadecimal. */
export interface WebhookTokens {
  /** The webhook as it is now; undefined when there is none. @throws WireError 503 while the bucket is being rebuilt */
  find(tokenHash: string): Promise<WebhookToken | undefined>;
}

/** Reads the bucket `webhook-tokens` after each delivery has come, so that a change holds from the next delivery on. */
export function createWebhookTokens(records: RecordBucket): WebhookTokens {
  return {
    find: joinReads(async (tokenHash) => {
      const entry = await readRecord(records, tokenHash);
      return entry ? webhookTokenSchema.parse(entry.json()) : undefined;
    }),
  };
}
