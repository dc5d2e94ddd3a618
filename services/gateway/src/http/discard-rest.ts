import type { IncomingMessage } from 'node:http';

/** How long a caller may go on sending after it was answered, in milliseconds. */
const drainMs = 1_000;

/**
 * Reads what is left of a request that has its answer, until it ends, or for a moment. A connection that is closed with
 * unread data is reset, and the caller's system would drop the answer before it is read.
 */
export async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, drainMs);
  request.once('end', end).once('close', end).resume();
  await promise;
  clearTimeout(timer);
  request.off('end', end).off('close', end);
}
