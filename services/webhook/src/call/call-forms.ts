import type { DeliveryReply } from '@mneme/contracts';
import type { StoredDelivery } from '../webhook-rows/rows.ts';

/** A call as a log of its webhook. */
export function toDelivery(webhookId: number, delivery: StoredDelivery): DeliveryReply {
  return {
    id: delivery._id,
    webhook_id: webhookId,
    payload: delivery.payload,
    source_ip: delivery.sourceIp,
    status: delivery.status,
    created_at: delivery.createdAt.toISOString(),
    processed_at: delivery.processedAt?.toISOString() ?? null,
    error_message: delivery.error,
  };
}
