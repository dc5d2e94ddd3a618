import { z } from 'zod';

/** What is kept about a request with an idempotency key; nothing of what it said or was answered. */
export const idempotencyRecordSchema = z.object({
  bodyHash: z.string(),
  /** Names what the request started, so that a second run of it finds that it was started. */
  commandId: z.string(),
  /** The agent that it is about; null as long as that is not known, and when it is about none. */
  agentKey: z.string().nullable(),
  /** The revision of this record when the request began; null while it is that revision still. */
  begun: z.int().nullable(),
  /** False while the first run is under way, or when it ended without an answer worth keeping. */
  isAnswered: z.boolean(),
});
export type IdempotencyRecord = z.infer<typeof idempotencyRecordSchema>;

/** The first answer, kept beside the record. */
export const keptAnswerSchema = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
