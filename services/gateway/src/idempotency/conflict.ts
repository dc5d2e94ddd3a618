import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';

/** Waits for a write by compare-and-set; undefined when somebody else was faster. */
export async function ignoreConflict(write: Promise<number>): Promise<number | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof JetStreamApiError && conflictCodes.has(error.code)) return undefined;
    throw error;
  }
}

/** Whether a bucket refused a write because it has reached its bound. */
export function isFull(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === maximumBytesExceeded;
}

const maximumBytesExceeded = 10_077;

/** On one server and on replicated streams. */
const conflictCodes: ReadonlySet<number> = new Set([
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
]);
