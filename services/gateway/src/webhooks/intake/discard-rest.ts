import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a caller may go on sending after it was refused, in milliseconds. */
const drainMs = 1_000;

/**
 * Lets a caller that is refused while it still sends get to the end, for a moment: where the connection is closed behind
 * the answer, the rest would make the caller's system drop it before it is read. Other connections are read on by Node.
 */
export async function discardRest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (response.shouldKeepAlive || request.complete || request.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, drainMs);
  request.once('end', end).once('close', end).resume();
  await promise;
  clearTimeout(timer);
  request.off('end', end).off('close', end);
}
