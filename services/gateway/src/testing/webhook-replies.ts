import type { DeliveryReply, TableReply, WebhookReply } from '@mneme/contracts';

const created_at = '2026-01-01T00:00:00.000Z';

/** A webhook as its service returns it. */
export const webhookReply: WebhookReply = {
  id: 3,
  project_id: 8,
  table_id: null,
  name: 'Orders',
  token: 'a'.repeat(32),
  token_prefix: 'aaaaaaaa',
  is_active: 1,
  verification: { type: 'none' },
  deduplicate: false,
  created_by: 7,
  created_at,
};

/** A delivery of that webhook. */
export function deliveryReply(id: number, payload = '{}'): DeliveryReply {
  return {
    id,
    webhook_id: webhookReply.id,
    payload,
    source_ip: '127.0.0.1',
    status: 'processed',
    created_at,
    processed_at: created_at,
    error_message: null,
  };
}

export function tableReply(fields: Partial<TableReply> = {}): TableReply {
  return {
    id: 4,
    project_id: 8,
    name: 'orders',
    display_name: 'orders',
    columns: [],
    row_count: 0,
    created_at,
    ...fields,
  };
}
