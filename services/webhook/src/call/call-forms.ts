import type { CallReply } from '@mneme/contracts';
import type { StoredCall } from '../webhook-rows/rows.ts';

/** A call as a log of its webhook. */
export function toCall(webhookId: number, call: StoredCall): CallReply {
  return {
    id: call._id,
    webhook_id: webhookId,
    payload: call.payload,
    source_ip: call.sourceIp,
    status: call.status,
    created_at: call.createdAt.toISOString(),
    processed_at: call.processedAt?.toISOString() ?? null,
    error_message: call.error,
  };
}
