import { z } from 'zod';

/** What is kept about a request with an idempotency key. */
export const idempotencyRecordSchema = z.object({
  bodyHash: z.string(),
  /** Names what the request started, so that a second run of it finds that it was started. */
  commandId: z.string(),
  /** Null while the first run is under way, or when it ended without an answer worth keeping. */
  response: z.object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() }).nullable(),
});
export type IdempotencyRecord = z.infer<typeof idempotencyRecordSchema>;
