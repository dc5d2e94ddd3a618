import { createHash } from 'node:crypto';

/** A delivery id that was seen; `_id` names it and its webhook. */
export interface StoredSenderDelivery {
  readonly _id: string;
  readonly webhookId: number;
  readonly at: Date;
}

const dayMs = 24 * 60 * 60 * 1_000;
/** Delivery ids are kept for two days: for one they count, and clocks of gateways may differ. */
const keepMs = 2 * dayMs;

/** The name of a delivery that a sender has given an id. */
export function senderDeliveryName(webhookId: number, senderDeliveryId: string): string {
  return `${webhookId} ${createHash('sha256').update(senderDeliveryId).digest('hex')}`;
}

/**
 * Delivery ids that were seen, those before some events and those in them. The rows and the processing of deliveries go by
 * this one rule, each with a memory of its own: of the deliveries of a webhook that deduplicates, one whose id was seen
 * within 24 hours before, by the times in the log, is no delivery of its own.
 */
export class SeenSenderDeliveries {
  readonly added = new Map<string, StoredSenderDelivery>();
  readonly #before: ReadonlyMap<string, Date>;

  constructor(before: ReadonlyMap<string, Date>) {
    this.#before = before;
  }

  /** Whether a delivery comes again; if it does not, it is remembered. */
  isRepeated(webhookId: number, name: string, at: Date): boolean {
    const seen = this.added.get(name)?.at ?? this.#before.get(name);
    if (seen && at.getTime() - seen.getTime() < dayMs) return true;
    this.added.set(name, { _id: name, webhookId, at });
    return false;
  }

  /** Until when the ids of a webhook may be forgotten; undefined when nothing was added for it. */
  get forgettable(): { readonly webhookIds: readonly number[]; readonly before: Date } | undefined {
    if (this.added.size === 0) return undefined;
    const added = [...this.added.values()];
    const newest = Math.max(...added.map(({ at }) => at.getTime()));
    return { webhookIds: [...new Set(added.map(({ webhookId }) => webhookId))], before: new Date(newest - keepMs) };
  }
}
