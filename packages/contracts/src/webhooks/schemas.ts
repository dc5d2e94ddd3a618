import { z } from 'zod';

/** The form of a webhook's token; anyone who knows it can send deliveries. */
export const webhookTokenPattern: RegExp = /^[a-z\d]{32}$/;
/** How many characters of a token are shown instead of it. */
export const tokenPrefixLength = 8;

/** The contexts that the secrets of a webhook are sealed for; needed to open them. */
export const webhookSecrets = {
  token: (webhookId: number): string => `webhook ${webhookId} token`,
  verification: (webhookId: number): string => `webhook ${webhookId} verification`,
} as const;

/** How a sender can sign its deliveries. */
const verificationTypes = ['none', 'standard-webhooks', 'github', 'stripe', 'hmac-sha256'] as const;
export const verificationTypeSchema = z.enum(verificationTypes);
export type VerificationType = z.infer<typeof verificationTypeSchema>;

/** How deliveries are verified; the secret is sealed with `SECRETS_KEY`, and null only for `none`. */
export const sealedVerificationSchema = z.object({
  type: verificationTypeSchema,
  sealedSecret: z.string().nullable(),
});
export type SealedVerification = z.infer<typeof sealedVerificationSchema>;

/** The status of a delivery. */
export const deliveryStatusSchema = z.enum(['received', 'processed', 'error']);
export type DeliveryStatus = z.infer<typeof deliveryStatusSchema>;

const columnTypes = [
  'text',
  'number',
  'date',
  'checkbox',
  'url',
  'email',
  'longtext',
  'multiselect',
  'datetime',
] as const;
export const columnTypeSchema = z.enum(columnTypes);
export type ColumnType = z.infer<typeof columnTypeSchema>;

/** A column as it is stored in events; its place among the others is its order. */
export const recordedColumnSchema = z.object({
  columnName: z.string(),
  displayName: z.string(),
  type: columnTypeSchema,
});
export type RecordedColumn = z.infer<typeof recordedColumnSchema>;

/** The columns of a table that is created for a webhook. A payload can overwrite their values, and never adds them. */
export const defaultColumns = [
  { columnName: 'received_at', displayName: 'received_at', type: 'datetime' },
  { columnName: 'source_ip', displayName: 'source_ip', type: 'text' },
  { columnName: 'raw_payload', displayName: 'raw_payload', type: 'longtext' },
] as const satisfies readonly RecordedColumn[];

/**
 * The names of a row's values, in order. If the table does not have the default columns, their names come first.
 */
export function rowNames(columnNames: readonly string[]): string[] {
  const defaults = defaultColumns.map(({ columnName }) => columnName);
  return [...defaults.filter((name) => !columnNames.includes(name)), ...columnNames];
}

/** The most columns of a table. */
export const maxColumns = 1_000;

/**
 * The NATS KV bucket that the gateway reads for each delivery, by the SHA-256 of the token in hexadecimal. The service that
 * starts first creates it; it has the replicas of the event log.
 */
export const webhookTokensBucket = {
  name: 'webhook-tokens',
  description: 'What the gateway needs to know about webhooks',
  history: 1,
  // About 150,000 webhooks.
  maxBytes: 64 * 1_024 * 1_024,
  keepsLarger: true,
} as const;

/** A webhook as the gateway needs it. */
export const webhookTokenSchema = z.object({
  webhookId: z.int(),
  state: z.enum(['active', 'inactive', 'deleted']),
  verification: sealedVerificationSchema,
  deduplicate: z.boolean(),
  /** The user who has made it; missing in records of earlier releases. */
  createdBy: z.int().optional(),
  /** The sequence in `WEBHOOKS` of its last event; a record with a later one is never overwritten. */
  sequence: z.int(),
});
export type WebhookToken = z.infer<typeof webhookTokenSchema>;
