import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';

/** The codes by which a single server and replicated streams refuse a write whose revision is no longer the last. */
export const conflictCodes: ReadonlySet<number> = new Set([
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
]);
const maximumBytesExceeded = 10_077;

/** @returns what a compare-and-set write returns, or undefined when another write came first */
export async function ignoreConflict<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof JetStreamApiError && conflictCodes.has(error.code)) return undefined;
    throw error;
  }
}

/** Whether a bucket refused a write because it has reached its maximum size. */
export function isBucketFull(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === maximumBytesExceeded;
}
