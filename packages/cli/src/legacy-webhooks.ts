import { dateTime, verificationSchema } from '@mneme/contracts';
import { z } from 'zod';

const number = z.int().min(1);
/** True, false, or as it was stored elsewhere: 1, 0. */
const flag = z.union([z.boolean(), z.literal(1).transform(() => true), z.literal(0).transform(() => false)]);

/** Which signatures it is for, the record does not say. Without it, deliveries that are not signed would be accepted. */
const secret = z.union([z.null(), z.literal('')], {
  error:
    'is not imported: give it in verification, as {"type": "hmac-sha256", "secret": "..."}, or leave it out if deliveries are not signed',
});

/** A webhook as another system kept it; other fields are passed over. */
const legacyWebhookSchema = z.object({
  project_id: number,
  table_id: number.nullish(),
  name: z.string().trim().min(1).max(255),
  token: z.string().regex(/^[a-z\d]{32}$/, 'must be 32 characters of a-z and 0-9'),
  is_active: flag.nullish(),
  created_by: number.nullish(),
  created_at: dateTime.nullish(),
  verification: verificationSchema.nullish(),
  secret: secret.optional(),
});
export type LegacyWebhook = z.output<typeof legacyWebhookSchema>;

/** A webhook, and where in the file it stands. */
export interface PlacedWebhook {
  readonly place: string;
  readonly webhook: LegacyWebhook;
}

/**
 * Reads webhooks from a JSON array, or from JSON Lines. A byte order mark is left out.
 * @throws Error naming the first record that is not one, before anything is imported
 */
export function parseLegacyWebhooks(text: string): PlacedWebhook[] {
  return recordsIn(text.replace(/^\uFEFF/, '')).map(({ record, place }) => {
    const parsed = legacyWebhookSchema.safeParse(record);
    if (parsed.success) return { place, webhook: parsed.data };
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'record'}: ${message}`);
    throw new Error(`${place}: ${faults.join('; ')}`);
  });
}

interface Placed {
  readonly record: unknown;
  readonly place: string;
}

function recordsIn(text: string): Placed[] {
  if (text.trimStart().startsWith('[')) {
    const records = parseJson(text, 'The file') as unknown[];
    return records.map((record, index) => ({ record, place: `Record ${index + 1}` }));
  }
  return text.split('\n').flatMap((line, index) => {
    const place = `Line ${index + 1}`;
    return line.trim() === '' ? [] : [{ record: parseJson(line, place), place }];
  });
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${place} is not JSON.`);
  }
}
