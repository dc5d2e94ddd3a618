import { z } from 'zod';
import { defineBytesEvent, defineEvent, type EventOf, eventCatalog } from '../events/definition.ts';
import { numberAssigned, numberTaken } from '../events/ids.ts';
import { deliveryStatusSchema, recordedColumnSchema, sealedVerificationSchema } from './schemas.ts';

const id = z.int().min(1);
const webhookRef = { webhookId: id };
const changeable = { name: z.string(), verification: sealedVerificationSchema, deduplicate: z.boolean() };

export const webhookCreated = defineEvent({
  type: 'WebhookCreated',
  version: 1,
  schema: z.object({
    ...webhookRef,
    ...changeable,
    projectId: id,
    /** Where calls become rows; null: they are only logged. */
    tableId: id.nullable(),
    /** SHA-256 of the token in hexadecimal. */
    tokenHash: z.string(),
    tokenPrefix: z.string(),
    /** The token, sealed with `SECRETS_KEY`. */
    sealedToken: z.string(),
    createdBy: id,
    /** Of a record that was brought from elsewhere; null: the time of the event. */
    createdAt: z.string().nullable(),
    isActive: z.boolean(),
    /** The request that asked for it; the same request again makes nothing. */
    commandId: z.string(),
  }),
});

/** All that can be changed about a webhook, as it is from now on. */
export const webhookChanged = defineEvent({
  type: 'WebhookChanged',
  version: 1,
  schema: z.object({ ...webhookRef, ...changeable, tokenHash: z.string(), isActive: z.boolean() }),
});

/** No call comes in any more. The calls that came are erased from the log after this. */
export const webhookDeleted = defineEvent({
  type: 'WebhookDeleted',
  version: 1,
  schema: z.object({ ...webhookRef, tokenHash: z.string() }),
});

/**
 * A call as it came: the data are the bytes of its body. Attributes: `webhookid`, `sourceip` and, where the sender gave
 * one, `deliveryid`. Its sequence in the log is the id of its log entry and of its row.
 */
export const callReceived = defineBytesEvent({ type: 'CallReceived', version: 1 });

/** The sequence of the `ReplayRequested` that a call is worked off again for; null: for itself alone. */
const replay = id.nullable();

/** A call is to be worked off once more, by what its table is now. */
export const callReplayed = defineEvent({
  type: 'CallReplayed',
  version: 1,
  schema: z.object({ ...webhookRef, callId: id, replay }),
});

/** Many calls are to be worked off once more; a `CallReplayed` of each follows. */
export const replayRequested = defineEvent({
  type: 'ReplayRequested',
  version: 1,
  schema: z.object({
    ...webhookRef,
    status: deliveryStatusSchema,
    /** Calls that came at this time or later; null: all. */
    since: z.string().nullable(),
    /** The last call that it is about. */
    upTo: z.int(),
    /** How many they are, as far as is known. */
    calls: z.int(),
    commandId: z.string(),
  }),
});

/** The `CallReplayed` of all calls of a replay are written. */
export const replayQueued = defineEvent({
  type: 'ReplayQueued',
  version: 1,
  schema: z.object({ ...webhookRef, replay: id, calls: z.int() }),
});

/** A name in a project has a table, and will have no other. */
export const tableNameTaken = defineEvent({
  type: 'TableNameTaken',
  version: 1,
  schema: z.object({ projectId: id, tableId: id, name: z.string() }),
});

export const tableCreated = defineEvent({
  type: 'TableCreated',
  version: 1,
  schema: z.object({
    tableId: id,
    projectId: id,
    name: z.string(),
    displayName: z.string(),
    columns: z.array(recordedColumnSchema),
    createdBy: id,
    commandId: z.string(),
  }),
});

/** What became of some calls of one table, in the order in which they came. Each call stands in one such event, once for each time that it is worked off. */
export const callsProcessed = defineEvent({
  type: 'CallsProcessed',
  version: 1,
  schema: z.object({
    tableId: id,
    /** The sequence of the last `CallReceived` or `CallReplayed` that is worked off for this table. */
    upTo: id,
    /** Follow the columns that there are. */
    newColumns: z.array(recordedColumnSchema),
    calls: z.array(
      z.object({
        callId: id,
        webhookId: id,
        /** Null: it became a row; else what went wrong, for people. */
        error: z.string().nullable(),
        replay,
      }),
    ),
  }),
});

/**
 * A row whose call is about to be erased from the log stays in its table: the data are the bytes that it is made of.
 * Attributes: `callid`, `createdat` (ISO 8601) and `sourceip`.
 */
export const rowKept = defineBytesEvent({ type: 'RowKept', version: 1 });

/** Every event that the `WEBHOOKS` stream may hold. */
export const webhookEvents = eventCatalog([
  numberTaken,
  numberAssigned,
  webhookCreated,
  webhookChanged,
  webhookDeleted,
  callReceived,
  callReplayed,
  replayRequested,
  replayQueued,
  tableNameTaken,
  tableCreated,
  callsProcessed,
  rowKept,
]);
export type WebhookEvent = EventOf<typeof webhookEvents>;
/** One event of the webhook area, by its type. */
export type WebhookEventOf<T extends WebhookEvent['type']> = Extract<WebhookEvent, { type: T }>;
