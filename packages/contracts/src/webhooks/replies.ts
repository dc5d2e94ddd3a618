import { z } from 'zod';
import { component, dateTime } from '../http/component.ts';
import { columnTypeSchema, deliveryStatusSchema, verificationTypeSchema } from './schemas.ts';

export const webhookSchema = component('Webhook', {
  id: z.int(),
  project_id: z.int(),
  table_id: z.int().nullable(),
  name: z.string(),
  token: z.string().meta({
    description:
      'Anyone who knows it can send deliveries. Empty if it cannot be decrypted, because `SECRETS_KEY` was lost',
  }),
  token_prefix: z.string().meta({ description: 'The first 8 characters of the token' }),
  is_active: z.union([z.literal(0), z.literal(1)]),
  verification: z.object({ type: verificationTypeSchema }),
  deduplicate: z.boolean(),
  created_by: z.int(),
  created_at: dateTime,
});
export type WebhookReply = z.infer<typeof webhookSchema>;

const deliveryUrl = { url: z.string().meta({ description: 'The URL for deliveries; empty if the token is' }) };

export const createdWebhookSchema = webhookSchema.extend(deliveryUrl).meta({ id: 'CreatedWebhook' });

export const deliverySchema = component('WebhookLog', {
  id: z.int(),
  webhook_id: z.int(),
  payload: z.string().meta({ description: 'The body, character for character as it came' }),
  source_ip: z.string(),
  status: deliveryStatusSchema,
  created_at: dateTime,
  processed_at: dateTime.nullable(),
  error_message: z.string().nullable(),
});
export type DeliveryReply = z.infer<typeof deliverySchema>;

/** A webhook of a list, as the webhook service has it. */
export const foundWebhookSchema = webhookSchema.extend({
  table_name: z.string().nullable(),
  table_display_name: z.string().nullable(),
  recentLogs: z
    .array(deliverySchema)
    .meta({ description: 'The 5 newest; fewer if the payloads of the whole list had more than 8 MiB' }),
  totalCalls: z.int(),
  lastTriggered: dateTime.nullable(),
});
export type FoundWebhook = z.infer<typeof foundWebhookSchema>;

export const listedWebhookSchema = foundWebhookSchema.extend(deliveryUrl).meta({ id: 'ListedWebhook' });
export type ListedWebhookReply = z.infer<typeof listedWebhookSchema>;

/** Where the next page of a list begins, given how many items the page has; null after the last one. */
export function nextOffset(page: { readonly offset: number; readonly total: number }, items: number): number | null {
  const next = page.offset + items;
  return items > 0 && next < page.total ? next : null;
}

const pageSchema = z.object({
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  next_offset: z
    .int()
    .nullable()
    .optional()
    .meta({ description: 'The `offset` of the next page; null on the last page. A page may end before `limit`' }),
});

export const deliveryListSchema = component('WebhookLogs', {
  logs: z.array(deliverySchema),
  pagination: pageSchema,
});
export type DeliveryList = z.infer<typeof deliveryListSchema>;

const columnSchema = component('Column', {
  column_name: z.string(),
  display_name: z.string(),
  type: columnTypeSchema,
  order_index: z.int(),
});

export const tableSchema = component('Table', {
  id: z.int(),
  project_id: z.int(),
  name: z.string(),
  display_name: z.string(),
  columns: z.array(columnSchema),
  row_count: z.int(),
  created_at: dateTime,
});
export type TableReply = z.infer<typeof tableSchema>;

export const rowSchema = component('Row', {
  id: z.int(),
  created_at: dateTime,
  values: z.record(z.string(), z.unknown()).meta({ description: 'By column name' }),
});

export const rowListSchema = component('Rows', {
  rows: z.array(rowSchema),
  ...pageSchema.shape,
});
export type RowList = z.infer<typeof rowListSchema>;

/** The progress of the newest replay of a webhook. */
export const replaySchema = component('Replay', {
  calls: z.int().meta({ description: 'The number of deliveries to replay' }),
  processed: z.int(),
  failed: z.int(),
  is_done: z.boolean(),
  message: z.string(),
});
export type ReplayReply = z.infer<typeof replaySchema>;

export const messageSchema = z.object({ message: z.string() });
