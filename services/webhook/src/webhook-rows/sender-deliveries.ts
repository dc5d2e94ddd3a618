import { hash } from 'node:crypto';
import type { WebhookEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { webhookOf } from './received.ts';

/** A delivery id of a sender that was seen; `_id` is the webhook's id and a hash of it. */
export interface StoredSenderDelivery {
  readonly _id: string;
  readonly webhookId: number;
  readonly at: Date;
}

const dayMs = 24 * 60 * 60 * 1_000;
/** Two days: an id counts for one, and the clocks of gateways may differ. */
const keepMs = 2 * dayMs;
/** A delivery of this age only seems to have it: a clock is years ahead. */
const yearMs = 365 * dayMs;

/** The key of the id that a sender has given a delivery; undefined for a delivery without one. */
export function senderDeliveryOf(event: Pick<Recorded<WebhookEvent>, 'subject' | 'attributes'>): string | undefined {
  const { deliveryid } = event.attributes;
  if (deliveryid === undefined) return undefined;
  return `${webhookOf(event)} ${hash('sha256', deliveryid)}`;
}

/**
 * Sender's delivery ids that were seen before some events and in them. At a webhook that deduplicates, a delivery whose id
 * was seen within 24 hours of it, by the times in the log, is dropped. The rows and the processing both use this rule, each
 * with its own stored ids, so they drop the same deliveries. An id from a gateway whose clock was wrong is of no account
 * where the times are right.
 */
export class SeenSenderDeliveries {
  readonly added = new Map<string, StoredSenderDelivery>();
  readonly #before: ReadonlyMap<string, Date>;

  constructor(before: ReadonlyMap<string, Date>) {
    this.#before = before;
  }

  /** Whether the delivery is a repeated one; if it is not, its id is added. */
  isRepeated(webhookId: number, key: string, at: Date): boolean {
    const seen = this.added.get(key)?.at ?? this.#before.get(key);
    if (seen && Math.abs(at.getTime() - seen.getTime()) < dayMs) return true;
    this.added.set(key, { _id: key, webhookId, at });
    return false;
  }

  /** For each webhook that got an id: ids of it between these times can be deleted. */
  get expired(): ReadonlyMap<number, { readonly from: Date; readonly before: Date }> {
    const newest = new Map<number, number>();
    for (const { webhookId, at } of this.added.values()) {
      newest.set(webhookId, Math.max(newest.get(webhookId) ?? 0, at.getTime()));
    }
    return new Map(
      [...newest].map(([webhookId, atMs]) => [
        webhookId,
        { from: new Date(atMs - yearMs), before: new Date(atMs - keepMs) },
      ]),
    );
  }
}
