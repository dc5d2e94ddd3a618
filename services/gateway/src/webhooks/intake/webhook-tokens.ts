import { type WebhookToken, webhookTokenSchema } from '@mneme/contracts';
import { joinReads } from '@mneme/workers/joined-reads';
import { type RecordBucket, readNewest, readRecord } from '../../buckets.ts';

/** Finds webhooks by the SHA-256 of their token, in hexadecimal. */
export interface WebhookTokens {
  /**
   * The webhook, as it is now unless it is active; undefined when there is none. A replica of the bucket that lags behind can
   * delay a change of an active webhook by a second at most.
   * @throws WireError 503 while the bucket is being rebuilt
   */
  find(tokenHash: string): Promise<WebhookToken | undefined>;
  /** The webhook as it is now, also if it is active. */
  findNewest(tokenHash: string): Promise<WebhookToken | undefined>;
}

const schema = webhookTokenSchema;

/** Reads the bucket `webhook-tokens` after each delivery has come, so that a change holds from the next delivery on. */
export function createWebhookTokens(records: RecordBucket): WebhookTokens {
  return {
    find: joinReads((key) => readRecord(records, { key, schema, grants: ({ state }) => state === 'active' })),
    findNewest: joinReads((key) => readNewest(records, { key, schema })),
  };
}
