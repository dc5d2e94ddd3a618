import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import {
  callListSchema,
  callSchema,
  callStatusSchema,
  listedWebhookSchema,
  replaySchema,
  rowListSchema,
  rowSchema,
  tableSchema,
  webhookSchema,
} from '../http/webhook-replies.ts';
import { columnTypeSchema, verificationTypeSchema } from '../webhooks.ts';

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
    reply: value(z.object({ name: z.string(), calls: z.int() })),
  }),
  listCalls: defineEndpoint({
    service,
    name: 'list-calls',
    request: z.object({ ...ofWebhook, ...page, minSequence }),
    reply: callListSchema,
  }),
  /** The calls after one, oldest first, for a live stream; waits for the first of them. */
  followCalls: defineEndpoint({
    service,
    name: 'follow-calls',
    request: z.object({ ...ofWebhook, afterCallId: z.int().min(0), waitMs: z.int().min(0).max(25_000), limit: id }),
    reply: z.object({ calls: z.array(callSchema) }),
  }),
  /** Answers when the call was worked off. 404 `Webhook log not found`. */
  replayCall: defineEndpoint({
    service,
    name: 'replay-call',
    request: z.object({ ...ofWebhook, callId: id, commandId }),
    reply: value(callSchema),
  }),
  replayCalls: defineEndpoint({
    service,
    name: 'replay-calls',
    request: z.object({ ...ofWebhook, since: z.string().nullable(), status: callStatusSchema, commandId }),
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
    reply: rowListSchema,
  }),
  /** A piece of a table that is written out as a whole: rows after one, in one order, as many as fit. */
  exportRows: defineEndpoint({
    service,
    name: 'export-rows',
    request: z.object({ ...ofTable, afterRowId: z.int().min(0), limit: id }),
    reply: z.object({ rows: z.array(rowSchema), isLast: z.boolean() }),
  }),
} as const;
