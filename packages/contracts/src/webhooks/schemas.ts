import { z } from 'zod';

/** What a webhook's token looks like; to know it is to be allowed to call. */
export const webhookTokenPattern: RegExp = /^[a-z\d]{32}$/;
/** How many characters of a token stand for it where it must not be shown. */
export const tokenPrefixLength = 8;

/** What the sealed texts of a webhook are sealed for; needed to open them. */
export const webhookSecrets = {
  token: (webhookId: number): string => `webhook ${webhookId} token`,
  verification: (webhookId: number): string => `webhook ${webhookId} verification`,
} as const;

/** Ways in which a sender may sign its calls. */
export const verificationTypes = ['none', 'standard-webhooks', 'github', 'stripe', 'hmac-sha256'] as const;
export const verificationTypeSchema = z.enum(verificationTypes);
export type VerificationType = z.infer<typeof verificationTypeSchema>;

/** How calls are checked; the secret is sealed with `SECRETS_KEY` and null only for `none`. */
export const sealedVerificationSchema = z.object({
  type: verificationTypeSchema,
  sealedSecret: z.string().nullable(),
});
export type SealedVerification = z.infer<typeof sealedVerificationSchema>;

/** What became of a call. */
export const deliveryStatusSchema = z.enum(['received', 'processed', 'error']);
export type DeliveryStatus = z.infer<typeof deliveryStatusSchema>;

export const columnTypes = [
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

/** A column as events hold it; its place among the others is its order. */
export const recordedColumnSchema = z.object({
  columnName: z.string(),
  displayName: z.string(),
  type: columnTypeSchema,
});
export type RecordedColumn = z.infer<typeof recordedColumnSchema>;

/** What a table begins with when a webhook makes it; a payload overwrites them and never adds them. */
export const defaultColumns = [
  { columnName: 'received_at', displayName: 'received_at', type: 'datetime' },
  { columnName: 'source_ip', displayName: 'source_ip', type: 'text' },
  { columnName: 'raw_payload', displayName: 'raw_payload', type: 'longtext' },
] as const satisfies readonly RecordedColumn[];

/**
 * The names under which a row has values, in their order: what the default columns hold comes first where a table has no
 * columns for it.
 */
export function rowNames(columnNames: readonly string[]): string[] {
  const defaults = defaultColumns.map(({ columnName }) => columnName);
  return [...defaults.filter((name) => !columnNames.includes(name)), ...columnNames];
}

/** Columns that a table may have at most. */
export const maxColumns = 1_000;

/** The NATS KV bucket that the gateway reads at every incoming call, by the SHA-256 of the token in hexadecimal. */
export const webhookTokensBucket = 'webhook-tokens';

/** How that bucket is made, by whichever service comes first; the replicas are those of the event log. */
export const webhookTokensOptions = {
  description: 'What the gateway needs to know about webhooks',
  history: 1,
  // Some hundred and fifty thousand webhooks.
  maxBytes: 64 * 1_024 * 1_024,
} as const;

/** What the gateway needs to know about a webhook. */
export const webhookTokenSchema = z.object({
  webhookId: z.int(),
  state: z.enum(['active', 'inactive', 'deleted']),
  verification: sealedVerificationSchema,
  deduplicate: z.boolean(),
  /** The sequence in `WEBHOOKS` that this is as of; a record of a later one is never overwritten. */
  sequence: z.int(),
});
export type WebhookToken = z.infer<typeof webhookTokenSchema>;
