import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { EventLogUnavailableError } from '../errors.ts';
import { isUndelivered } from '../log/log.ts';

/**
 * Whether an operation on a bucket may have failed because the bucket is gone. Reads and writes by its subjects fail like those
 * that no server answers.
 */
export function mayBeLost(error: unknown): boolean {
  if (error instanceof EventLogUnavailableError) return true;
  if (error instanceof JetStreamApiError) return error.code === JetStreamApiCodes.StreamNotFound;
  // What the client makes of a write that no stream takes; it exports no class for it.
  return isUndelivered(error) || (error instanceof Error && error.name === 'JetStreamNotEnabled');
}
