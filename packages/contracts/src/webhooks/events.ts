import { z } from 'zod';
import { defineBytesEvent, defineEvent, type EventOf, eventCatalog } from '../events/definition.ts';
import { idDefinitions } from '../events/ids.ts';
import { deliveryStatusSchema, recordedColumnSchema, sealedVerificationSchema } from './schemas.ts';

const id = z.int().min(1);
const webhookRef = { webhookId: id };
const changeable = { name: z.string(), verification: sealedVerificationSchema, deduplicate: z.boolean() };

/** The sequence of the `ReplayRequested` that a delivery is processed again for; null: for itself alone. */
const replay = id.nullable();

/** Every event that the `WEBHOOKS` stream may hold. */
export const webhookEvents = eventCatalog([
  ...idDefinitions,
  defineEvent('WebhookCreated', {
    ...webhookRef,
    ...changeable,
    projectId: id,
    /** The table that deliveries become rows of; null: they are stored as logs only. */
    tableId: id.nullable(),
    /** SHA-256 of the token in hexadecimal. */
    tokenHash: z.string(),
    tokenPrefix: z.string(),
    /** The token, sealed with `SECRETS_KEY`. */
    sealedToken: z.string(),
    createdBy: id,
    /** Of an imported record; null: the time of the event. */
    createdAt: z.string().nullable(),
    isActive: z.boolean(),
    /** The command that created it; the same command again creates nothing. */
    commandId: z.string(),
  }),
  /** All properties of a webhook that can be changed, as they are from now on. */
  defineEvent('WebhookChanged', { ...webhookRef, ...changeable, tokenHash: z.string(), isActive: z.boolean() }),
  /** No delivery is accepted any more. The deliveries of the webhook are erased from the log after this. */
  defineEvent('WebhookDeleted', { ...webhookRef, tokenHash: z.string() }),
  /**
   * A delivery as it was received: the data are the bytes of its body. Attributes: `webhookid`, `sourceip` and, if the sender
   * gave one, its own id of the delivery as `deliveryid`. The sequence of the event is the id of the delivery, which events
   * call `callId`, and of its row.
   */
  defineBytesEvent('CallReceived'),
  /** A delivery is to be processed again, by the present state of its table. */
  defineEvent('CallReplayed', { ...webhookRef, callId: id, replay }),
  /** Many deliveries are to be processed again; a `CallReplayed` of each follows. */
  defineEvent('ReplayRequested', {
    ...webhookRef,
    status: deliveryStatusSchema,
    /** Deliveries that came at this time or later; null: all. */
    since: z.string().nullable(),
    /** The last delivery to replay. */
    upTo: z.int(),
    /** The number of deliveries, as far as is known. */
    calls: z.int(),
    commandId: z.string(),
  }),
  /** The `CallReplayed` of all deliveries of a replay are appended. */
  defineEvent('ReplayQueued', { ...webhookRef, replay: id, calls: z.int() }),
  /** A table has a name in its project, which no other table gets. */
  defineEvent('TableNameTaken', { projectId: id, tableId: id, name: z.string() }),
  defineEvent('TableCreated', {
    tableId: id,
    projectId: id,
    name: z.string(),
    displayName: z.string(),
    columns: z.array(recordedColumnSchema),
    createdBy: id,
    commandId: z.string(),
  }),
  /** The outcome of some deliveries of one table, in the order in which they came. Each delivery is in one such event for each time that it is processed. */
  defineEvent('CallsProcessed', {
    tableId: id,
    /** The sequence of the last `CallReceived` or `CallReplayed` that is processed for this table. */
    upTo: id,
    /** They follow the existing columns. */
    newColumns: z.array(recordedColumnSchema),
    calls: z.array(
      z.object({
        callId: id,
        webhookId: id,
        /** Null: it became a row; otherwise the reason why not, for users. */
        error: z.string().nullable(),
        replay,
      }),
    ),
  }),
  /**
   * A row stays in its table although its delivery is erased from the log: the data are the bytes that it is made of.
   * Attributes: `callid`, `createdat` (ISO 8601) and `sourceip`.
   */
  defineBytesEvent('RowKept'),
]);
export type WebhookEvent = EventOf<typeof webhookEvents>;
/** One event of the webhook area, by its type. */
export type WebhookEventOf<T extends WebhookEvent['type']> = Extract<WebhookEvent, { type: T }>;
