import { z } from 'zod';
import { columnTypeSchema, deliveryStatusSchema, verificationTypeSchema } from './schemas.ts';

const dateTime = z.string().meta({ format: 'date-time' });

export const webhookSchema = z
  .object({
    id: z.int(),
    project_id: z.int(),
    table_id: z.int().nullable(),
    name: z.string(),
    token: z.string().meta({ description: 'Anyone who knows it can send deliveries' }),
    token_prefix: z.string().meta({ description: 'The first 8 characters of the token' }),
    is_active: z.union([z.literal(0), z.literal(1)]),
    verification: z.object({ type: verificationTypeSchema }),
    deduplicate: z.boolean(),
    created_by: z.int(),
    created_at: dateTime,
  })
  .meta({ id: 'Webhook' });
export type WebhookReply = z.infer<typeof webhookSchema>;

export const createdWebhookSchema = webhookSchema
  .extend({ url: z.string().meta({ description: 'The URL for deliveries' }) })
  .meta({ id: 'CreatedWebhook' });

export const deliverySchema = z
  .object({
    id: z.int(),
    webhook_id: z.int(),
    payload: z.string().meta({ description: 'The body, character for character as it came' }),
    source_ip: z.string(),
    status: deliveryStatusSchema,
    created_at: dateTime,
    processed_at: dateTime.nullable(),
    error_message: z.string().nullable(),
  })
  .meta({ id: 'WebhookLog' });
export type DeliveryReply = z.infer<typeof deliverySchema>;

export const listedWebhookSchema = webhookSchema
  .extend({
    table_name: z.string().nullable(),
    table_display_name: z.string().nullable(),
    recentLogs: z.array(deliverySchema).meta({ description: 'The 5 newest' }),
    totalCalls: z.int(),
    lastTriggered: dateTime.nullable(),
  })
  .meta({ id: 'ListedWebhook' });
export type ListedWebhookReply = z.infer<typeof listedWebhookSchema>;

export const deliveryListSchema = z
  .object({
    logs: z.array(deliverySchema),
    pagination: z.object({ total: z.int(), limit: z.int(), offset: z.int() }),
  })
  .meta({ id: 'WebhookLogs' });
export type DeliveryList = z.infer<typeof deliveryListSchema>;

export const columnSchema = z
  .object({
    column_name: z.string(),
    display_name: z.string(),
    type: columnTypeSchema,
    order_index: z.int(),
  })
  .meta({ id: 'Column' });

export const tableSchema = z
  .object({
    id: z.int(),
    project_id: z.int(),
    name: z.string(),
    display_name: z.string(),
    columns: z.array(columnSchema),
    row_count: z.int(),
    created_at: dateTime,
  })
  .meta({ id: 'Table' });
export type TableReply = z.infer<typeof tableSchema>;

export const rowSchema = z
  .object({
    id: z.int(),
    created_at: dateTime,
    values: z.record(z.string(), z.unknown()).meta({ description: 'By column name' }),
  })
  .meta({ id: 'Row' });
export type RowReply = z.infer<typeof rowSchema>;

export const rowListSchema = z
  .object({ rows: z.array(rowSchema), total: z.int(), limit: z.int(), offset: z.int() })
  .meta({ id: 'Rows' });
export type RowList = z.infer<typeof rowListSchema>;

/** The progress of the newest replay of a webhook. */
export const replaySchema = z
  .object({
    calls: z.int().meta({ description: 'The number of deliveries to replay' }),
    processed: z.int(),
    failed: z.int(),
    is_done: z.boolean(),
    message: z.string(),
  })
  .meta({ id: 'Replay' });
export type ReplayReply = z.infer<typeof replaySchema>;

export const messageSchema = z.object({ message: z.string() });
