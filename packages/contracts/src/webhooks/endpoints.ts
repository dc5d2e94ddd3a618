import { z } from 'zod';
import { endpointsOf } from '../endpoint.ts';
import { commandId, commandReply, id, minSequence, page, sequence, userId } from '../endpoint-fields.ts';
import {
  deliveryListSchema,
  deliverySchema,
  foundWebhookSchema,
  replaySchema,
  tableSchema,
  webhookSchema,
} from './replies.ts';
import { columnTypeSchema, deliveryStatusSchema, verificationTypeSchema } from './schemas.ts';

const endpoint = endpointsOf('webhook');
const ofProject = { userId, projectId: id };
const ofWebhook = { userId, webhookId: id };
const ofTable = { userId, tableId: id };
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
  listWebhooks: endpoint('list-webhooks', { ...ofProject, minSequence }, z.array(foundWebhookSchema)),
  createWebhook: endpoint(
    'create-webhook',
    {
      ...ofProject,
      name: z.string(),
      /** An existing table, a new one of this name (null: of a generated name), or none. */
      table: z.union([z.object({ id }), z.object({ newName: z.string().nullable() }), z.null()]),
      verification,
      deduplicate: z.boolean(),
      commandId,
    },
    commandReply(webhookSchema),
  ),
  /** 404 `Webhook not found`, also when the user may not manage it. */
  getWebhook: endpoint('get-webhook', { ...ofWebhook, minSequence }, webhookSchema),
  /** A property that is null stays as it is. */
  updateWebhook: endpoint(
    'update-webhook',
    {
      ...ofWebhook,
      name: z.string().nullable(),
      isActive: z.boolean().nullable(),
      verification: verification.nullable(),
      deduplicate: z.boolean().nullable(),
    },
    commandReply(webhookSchema),
  ),
  /** The reply has a name of earlier releases, whose gateways may still ask. */
  deleteWebhook: endpoint('delete-webhook', ofWebhook, commandReply(z.object({ name: z.string(), calls: z.int() }))),
  listDeliveries: endpoint(
    'list-deliveries',
    { ...ofWebhook, ...page, status: deliveryStatusSchema.optional(), minSequence },
    deliveryListSchema,
  ),
  /** The processed deliveries after one, oldest first, for a live stream; waits for the first of them. */
  followDeliveries: endpoint(
    'follow-deliveries',
    { ...ofWebhook, afterDeliveryId: z.int().min(0), waitMs: z.int().min(0).max(25_000), limit: id },
    z.object({ deliveries: z.array(deliverySchema) }),
  ),
  /**
   * Replies when the delivery is processed again. 404 `Webhook log not found`. `isRepeat`: the command has succeeded before,
   * so that the delivery is only read; gateways of earlier releases leave it out.
   */
  replayDelivery: endpoint(
    'replay-delivery',
    { ...ofWebhook, deliveryId: id, commandId, isRepeat: z.boolean().optional() },
    commandReply(deliverySchema),
  ),
  /**
   * 409 while an earlier replay of the webhook is not done, unless `isReplacing`; gateways of earlier releases leave that out.
   */
  replayDeliveries: endpoint(
    'replay-deliveries',
    {
      ...ofWebhook,
      since: z.string().nullable(),
      status: deliveryStatusSchema,
      isReplacing: z.boolean().optional(),
      commandId,
    },
    commandReply(replaySchema),
  ),
  replayProgress: endpoint('replay-progress', { ...ofWebhook, minSequence }, replaySchema),
  listTables: endpoint('list-tables', { ...ofProject, minSequence }, z.array(tableSchema)),
  createTable: endpoint(
    'create-table',
    {
      ...ofProject,
      name: z.string(),
      columns: z.array(z.object({ columnName: z.string(), displayName: z.string(), type: columnTypeSchema })),
      commandId,
    },
    commandReply(tableSchema),
  ),
  getTable: endpoint('get-table', { ...ofTable, minSequence }, tableSchema),
  listRows: endpoint(
    'list-rows',
    { ...ofTable, ...page, order: z.enum(['asc', 'desc']), minSequence },
    z.object({ rows: z.array(row), total: z.int() }),
  ),
  /**
   * A part of an export: the rows after one, in order, as many as fit into one reply. The first part, after row 0, also has
   * the last row that may be in the export, which the requests for later parts name, and the columns of the rows up to it.
   * Both are missing in replies of earlier releases.
   */
  exportRows: endpoint(
    'export-rows',
    { ...ofTable, afterRowId: z.int().min(0), upTo: sequence.optional(), limit: id },
    z.object({
      rows: z.array(row),
      isLast: z.boolean(),
      upTo: sequence.optional(),
      columns: tableSchema.shape.columns.optional(),
    }),
  ),
  /** For operators: imports a webhook with its token. Importing the same token again changes nothing. */
  importWebhook: endpoint(
    'import-webhook',
    {
      projectId: id,
      name: z.string(),
      token: z.string(),
      tableId: id.nullable(),
      isActive: z.boolean(),
      createdBy: id,
      createdAt: z.string().nullable(),
      verification: verification.optional(),
    },
    /** `verification`: which signatures the webhook checks, also one that was there before; earlier releases import none. */
    z.object({ id, isNew: z.boolean(), verification: verificationTypeSchema.optional() }),
  ),
  /** For operators: rebuilds the read models and the KV bucket from the log; the present ones answer meanwhile. */
  rebuild: endpoint(
    'rebuild',
    {},
    z.object({
      /** The version of the read model that answers from now on, and how many rows it has. */
      readModel: z.object({ version: z.int(), rows: z.int() }),
      /** The copy of spaces and projects. */
      projects: z.object({ version: z.int(), rows: z.int() }),
      /** The number of records in the bucket, and of those that had to be written or removed. */
      webhookTokens: z.object({ records: z.int(), changed: z.int() }),
    }),
  ),
} as const;
