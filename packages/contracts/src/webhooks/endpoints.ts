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
/** The user who makes the request. */
const userId = id;
/** The position of the last event that the command appended, as `WEBHOOKS:42`; null when it appended none. */
const position = z.string().nullable();
/** The read waits until the read model has applied this sequence of `WEBHOOKS`, 5 s at most, then answers 503. */
const minSequence = z.int().min(0).optional();
/** A repeated command does nothing twice. */
const commandId = z.string();
const value = <T extends z.ZodType>(schema: T) => z.object({ value: schema, position });
const ofProject = { userId, projectId: id };
const ofWebhook = { userId, webhookId: id };
const ofTable = { userId, tableId: id };
const page = { limit: z.int().min(1).max(1_000), offset: z.int().min(0) };
/**
 * A row with its values as pairs of a column's name and JSON text, in the order of the columns. Text, because parsing would
 * change a number such as 9007199254740993; pairs, because a name can be `__proto__`.
 */
const row = z.object({ id, created_at: z.string(), values: z.array(z.tuple([z.string(), z.string()])) });
export type RowOfTable = z.infer<typeof row>;
const verification = z.object({ type: verificationTypeSchema, secret: z.string().nullable() });

/**
 * Commands and queries about webhooks, their deliveries and tables. Records of a project that the user may not manage are
 * not found (404 `Project not found`, `Webhook not found`, `Table not found`). Queries wait until deliveries that had been
 * received are processed. A command replies when the read models and the KV bucket have applied it.
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
      /** An existing table, a new one of this name (null: of a generated name), or none. */
      table: z.union([z.object({ id }), z.object({ newName: z.string().nullable() }), z.null()]),
      verification,
      deduplicate: z.boolean(),
      commandId,
    }),
    reply: value(webhookSchema),
  }),
  /** A property that is null stays as it is. */
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
    // The name of earlier releases, whose gateways may still ask.
    reply: value(z.object({ name: z.string(), calls: z.int() })),
  }),
  listDeliveries: defineEndpoint({
    service,
    name: 'list-deliveries',
    request: z.object({ ...ofWebhook, ...page, minSequence }),
    reply: deliveryListSchema,
  }),
  /** The processed deliveries after one, oldest first, for a live stream; waits for the first of them. */
  followDeliveries: defineEndpoint({
    service,
    name: 'follow-deliveries',
    request: z.object({ ...ofWebhook, afterDeliveryId: z.int().min(0), waitMs: z.int().min(0).max(25_000), limit: id }),
    reply: z.object({ deliveries: z.array(deliverySchema) }),
  }),
  /** Replies when the delivery is processed again. 404 `Webhook log not found`. */
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
  /** A part of an export: the rows after one, in order, as many as fit into one reply. */
  exportRows: defineEndpoint({
    service,
    name: 'export-rows',
    request: z.object({ ...ofTable, afterRowId: z.int().min(0), limit: id }),
    reply: z.object({ rows: z.array(row), isLast: z.boolean() }),
  }),
  /** For operators: imports a webhook with its token. Importing the same token again changes nothing. */
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
  /** For operators: rebuilds the read models and the KV bucket from the log; the present ones answer meanwhile. */
  rebuild: defineEndpoint({
    service,
    name: 'rebuild',
    request: z.object({}),
    reply: z.object({
      /** The version of the read model that answers from now on, and how many rows it has. */
      readModel: z.object({ version: z.int(), rows: z.int() }),
      /** The copy of spaces and projects. */
      projects: z.object({ version: z.int(), rows: z.int() }),
      /** The number of records in the bucket, and of those that had to be written or removed. */
      webhookTokens: z.object({ records: z.int(), changed: z.int() }),
    }),
  }),
} as const;
