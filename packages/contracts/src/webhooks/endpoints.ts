import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import {
  deliveryListSchema,
  deliverySchema,
  listedWebhookSchema,
  replaySchema,
  tableSchema,
  webhookSchema,
} from './replies.ts';
import { columnTypeSchema, deliveryStatusSchema, verificationTypeSchema } from './schemas.ts';

const service = 'webhook';
const id = z.int().min(1);
/** Who asks. */
const userId = id;
/** Of the last event that the command appended, as `WEBHOOKS:42`; null when it appended none. */
const position = z.string().nullable();
/** The read waits until the read model has applied this sequence of `WEBHOOKS`, 5 s at most, then answers 503. */
const minSequence = z.int().min(0).optional();
/** The same again makes nothing twice. */
const commandId = z.string();
const value = <T extends z.ZodType>(schema: T) => z.object({ value: schema, position });
const ofProject = { userId, projectId: id };
const ofWebhook = { userId, webhookId: id };
const ofTable = { userId, tableId: id };
const page = { limit: z.int().min(1).max(1_000), offset: z.int().min(0) };
/**
 * A row with its values as pairs of a column's name and JSON text, in the order of the columns. As text, since a number
 * such as 9007199254740993 changes when it is parsed; a name can be `__proto__`.
 */
const row = z.object({ id, created_at: z.string(), values: z.array(z.tuple([z.string(), z.string()])) });
export type RowOfTable = z.infer<typeof row>;
const verification = z.object({ type: verificationTypeSchema, secret: z.string().nullable() });

/**
 * Commands and questions about webhooks, their calls and tables. What is in a project that the user may not manage is
 * not found (404 `Project not found`, `Webhook not found`, `Table not found`). Reads wait for what had been received
 * when they were asked. A command answers when the read models and the KV bucket have what it did.
 */
export const webhook = {
  listWebhooks: defineEndpoint({
    service,
    name: 'list-webhooks',
    request: z.object({ ...ofProject, minSequence }),
    reply: z.array(listedWebhookSchema),
  }),
  createWebhook: defineEndpoint({
    service,
    name: 'create-webhook',
    request: z.object({
      ...ofProject,
      name: z.string(),
      /** One that is there, a new one of this name (null: of a name that is made up), or none. */
      table: z.union([z.object({ id }), z.object({ newName: z.string().nullable() }), z.null()]),
      verification,
      deduplicate: z.boolean(),
      commandId,
    }),
    reply: value(webhookSchema),
  }),
  /** What is null stays. */
  updateWebhook: defineEndpoint({
    service,
    name: 'update-webhook',
    request: z.object({
      ...ofWebhook,
      name: z.string().nullable(),
      isActive: z.boolean().nullable(),
      verification: verification.nullable(),
      deduplicate: z.boolean().nullable(),
    }),
    reply: value(webhookSchema),
  }),
  deleteWebhook: defineEndpoint({
    service,
    name: 'delete-webhook',
    request: z.object(ofWebhook),
    reply: value(z.object({ name: z.string(), deliveries: z.int() })),
  }),
  listDeliveries: defineEndpoint({
    service,
    name: 'list-deliveries',
    request: z.object({ ...ofWebhook, ...page, minSequence }),
    reply: deliveryListSchema,
  }),
  /** The calls after one, oldest first, for a live stream, when they are worked off; waits for the first of them. */
  followDeliveries: defineEndpoint({
    service,
    name: 'follow-deliveries',
    request: z.object({ ...ofWebhook, afterDeliveryId: z.int().min(0), waitMs: z.int().min(0).max(25_000), limit: id }),
    reply: z.object({ deliveries: z.array(deliverySchema) }),
  }),
  /** Answers when the call was worked off. 404 `Webhook log not found`. */
  replayDelivery: defineEndpoint({
    service,
    name: 'replay-delivery',
    request: z.object({ ...ofWebhook, deliveryId: id, commandId }),
    reply: value(deliverySchema),
  }),
  replayDeliveries: defineEndpoint({
    service,
    name: 'replay-deliveries',
    request: z.object({ ...ofWebhook, since: z.string().nullable(), status: deliveryStatusSchema, commandId }),
    reply: value(replaySchema),
  }),
  replayProgress: defineEndpoint({
    service,
    name: 'replay-progress',
    request: z.object({ ...ofWebhook, minSequence }),
    reply: replaySchema,
  }),
  listTables: defineEndpoint({
    service,
    name: 'list-tables',
    request: z.object({ ...ofProject, minSequence }),
    reply: z.array(tableSchema),
  }),
  createTable: defineEndpoint({
    service,
    name: 'create-table',
    request: z.object({
      ...ofProject,
      name: z.string(),
      columns: z.array(z.object({ columnName: z.string(), displayName: z.string(), type: columnTypeSchema })),
      commandId,
    }),
    reply: value(tableSchema),
  }),
  getTable: defineEndpoint({
    service,
    name: 'get-table',
    request: z.object({ ...ofTable, minSequence }),
    reply: tableSchema,
  }),
  listRows: defineEndpoint({
    service,
    name: 'list-rows',
    request: z.object({ ...ofTable, ...page, order: z.enum(['asc', 'desc']), minSequence }),
    reply: z.object({ rows: z.array(row), total: z.int() }),
  }),
  /** A piece of a table that is written out as a whole: rows after one, in one order, as many as fit. */
  exportRows: defineEndpoint({
    service,
    name: 'export-rows',
    request: z.object({ ...ofTable, afterRowId: z.int().min(0), limit: id }),
    reply: z.object({ rows: z.array(row), isLast: z.boolean() }),
  }),
  /** For operators: takes over a webhook with its token from elsewhere. The same token again changes nothing. */
  importWebhook: defineEndpoint({
    service,
    name: 'import-webhook',
    request: z.object({
      projectId: id,
      name: z.string(),
      token: z.string(),
      tableId: id.nullable(),
      isActive: z.boolean(),
      createdBy: id,
      createdAt: z.string().nullable(),
    }),
    reply: z.object({ id, isNew: z.boolean() }),
  }),
  /** For operators: makes the read models and the KV bucket again from the log, while they go on being asked. */
  rebuild: defineEndpoint({
    service,
    name: 'rebuild',
    request: z.object({}),
    reply: z.object({
      /** The version of the read model that answers from now on, and how many rows it has. */
      readModel: z.object({ version: z.int(), rows: z.int() }),
      /** The copy of spaces and projects. */
      projects: z.object({ version: z.int(), rows: z.int() }),
      /** How many records the bucket has, and how many had to be written or taken out. */
      webhookTokens: z.object({ records: z.int(), changed: z.int() }),
    }),
  }),
} as const;
