import { z } from 'zod';
import { recordId, title } from '../access/fields.ts';
import { component } from '../http/component.ts';
import { dateTime, faultType, text, textUpTo } from '../http/fields.ts';
import { columnTypeSchema, deliveryStatusSchema, verificationTypeSchema } from './schemas.ts';

/** The longest secret that signatures are checked with, in UTF-16 code units. */
const maxSecretLength = 1_024;

export const verificationSchema = z
  .object({
    type: verificationTypeSchema,
    secret: text.min(1).max(maxSecretLength).nullish(),
  })
  .refine(({ type, secret }) => type === 'none' || typeof secret === 'string', {
    error: 'A secret is needed to check signatures',
    path: ['secret'],
    ...faultType('missing'),
  })
  .meta({ description: 'How deliveries are signed; one with a bad signature is refused and leaves no log' });

/** Runs of white space become `_` in the name of the table, also those of tabs and line breaks. */
const newTableName = textUpTo(255).refine((value) => !/(?!\s)\p{Cc}/u.test(value), {
  error: 'String should have no control characters but white space',
  ...faultType('string_control_character'),
});

const deduplicate = z
  .boolean()
  .meta({ description: "A sender's delivery id that was seen within 24 h makes no second log and no second row" });

export const createWebhookSchema = component(
  'CreateWebhookRequest',
  {
    name: title,
    tableId: recordId.nullish().meta({ description: 'A table of the same project that deliveries become rows of' }),
    createNewTable: z
      .boolean()
      .nullish()
      .meta({ description: 'Create a table for it; takes precedence over `tableId`' }),
    newTableName: newTableName.nullish().meta({ description: 'By default, and if blank, `webhook_` and a timestamp' }),
    verification: verificationSchema.nullish(),
    deduplicate: deduplicate.nullish(),
  },
  { example: { name: 'Orders', createNewTable: true, newTableName: 'orders' } },
);

export const updateWebhookSchema = component(
  'UpdateWebhookRequest',
  {
    name: title.nullish(),
    isActive: z.boolean().nullish().meta({ description: 'False: the next delivery gets 404' }),
    verification: verificationSchema.nullish(),
    deduplicate: deduplicate.nullish(),
  },
  { description: 'Fields that are left out stay as they are.', example: { name: 'Orders', isActive: true } },
);

export const replayDeliveriesSchema = component(
  'ReplayCallsRequest',
  {
    since: dateTime.nullish().meta({ description: 'Deliveries received at this time or later; all by default' }),
    status: deliveryStatusSchema.default('error'),
    replace: z.boolean().default(false).meta({
      description:
        'True: ends an earlier replay of the webhook that is not done; what it has not replayed yet stays as it is',
    }),
  },
  { example: { since: '2024-03-01T00:00:00Z', status: 'error' } },
);

export const testWebhookSchema = component(
  'TestWebhookRequest',
  { payload: z.unknown().optional().meta({ description: 'Any JSON, also `null`. Default: an example' }) },
  { example: { payload: { order: { id: 7, total: 9.5 } } } },
);

export const createTableSchema = component(
  'CreateTableRequest',
  {
    name: title,
    columns: z
      .array(
        z.object({
          column_name: text.regex(/^[a-z\d_]{1,255}$/, 'String should be 1 to 255 of a-z, 0-9 and _'),
          display_name: title.nullish(),
          type: columnTypeSchema,
        }),
      )
      .max(1_000)
      .refine((columns) => new Set(columns.map(({ column_name }) => column_name)).size === columns.length, {
        error: 'Columns should have different names',
      })
      .nullish(),
  },
  { example: { name: 'orders', columns: [{ column_name: 'total', type: 'number' }] } },
);
