import type { WebhookEvent } from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';

/** Has deliveries processed again. */
export interface ReplayDeliveries {
  readonly type: 'ReplayDeliveries';
  readonly webhookId: number;
  readonly deliveryIds: readonly number[];
  /** The replay of many deliveries that they belong to. */
  readonly replay: number | null;
}

/**
 * The deliveries of a webhook, of which there may be millions. Nothing depends on former ones: a delivery may be replayed as
 * often as one likes, and one that is not there is passed over when its turn comes.
 */
export const deliveriesDecider: Decider<null, ReplayDeliveries, WebhookEvent> = {
  initialState: null,
  decide: ({ webhookId, deliveryIds, replay }) =>
    deliveryIds.map((callId) => ({ type: 'CallReplayed', data: { webhookId, callId, replay } })),
  evolve: () => null,
};
