import { hash, randomBytes } from 'node:crypto';
import {
  bucketCheckpoint,
  type VerificationType,
  type WebhookEvent,
  type WebhookToken,
  webhookEvents,
  webhookSecrets,
  webhookStream,
  webhookSubjects,
  webhookTokensBucket,
} from '@mneme/contracts';
import { connectEventStore, type Recorded } from '@mneme/event-store';
import { createSealing } from '@mneme/service-kit';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';

/** Seals the secrets of webhooks in tests. */
export const secretsKey = 'ab'.repeat(32);
const sealing = createSealing(Buffer.from(secretsKey, 'hex'));

/** A webhook that the gateway knows. */
export interface KnownWebhook {
  readonly id: number;
  readonly token: string;
  /** The path that deliveries to it are sent to. */
  readonly path: string;
}

/** Writes what the webhook service writes for the gateway, and reads what the gateway writes for it. */
export interface WebhookRecords {
  /** Creates a webhook that is active and accepts all deliveries by default. */
  issue(record?: Partial<WebhookToken>, signatures?: { type: VerificationType; secret: string }): Promise<KnownWebhook>;
  /** Sets whether the bucket is marked as filled; it is from the beginning. */
  setFilled(isFilled: boolean): Promise<void>;
  change(webhook: KnownWebhook, record: Partial<WebhookToken>): Promise<void>;
  /** The calls of a webhook in the log. */
  deliveriesOf(webhook: KnownWebhook): Promise<readonly Recorded<WebhookEvent>[]>;
}

let lastId = 0;

export async function openWebhookRecords(connection: NatsConnection): Promise<WebhookRecords> {
  const bucket = await new Kvm(connection).open(webhookTokensBucket.name);
  const catalog = webhookEvents;
  const store = connectEventStore({ connection, stream: webhookStream.name, catalog, source: 'test' });
  const records = new Map<string, WebhookToken>();
  const put = async (token: string, record: WebhookToken) => {
    records.set(token, record);
    await bucket.put(hash('sha256', token), JSON.stringify(record));
  };
  const setFilled = async (isFilled: boolean) => {
    if (isFilled) await bucket.put(bucketCheckpoint, JSON.stringify({ sequence: 0 }));
    else await bucket.delete(bucketCheckpoint);
  };
  await setFilled(true);
  return {
    setFilled,
    issue: async (record, signatures) => {
      lastId += 1;
      const webhookId = lastId;
      const token = randomBytes(16).toString('hex');
      const sealedSecret = signatures ? sealing.seal(signatures.secret, webhookSecrets.verification(webhookId)) : null;
      const verification = { type: signatures?.type ?? ('none' as const), sealedSecret };
      const fresh: WebhookToken = { webhookId, state: 'active', verification, deduplicate: false, sequence: 1 };
      await put(token, { ...fresh, ...record });
      return { id: webhookId, token, path: `/api/webhooks/incoming/${token}` };
    },
    change: async ({ token }, record) => put(token, { ...(records.get(token) as WebhookToken), ...record }),
    deliveriesOf: async ({ id }) => (await store.load(webhookSubjects.deliveries(id))).events,
  };
}
