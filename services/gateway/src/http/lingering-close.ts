import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long the caller may send nothing, in milliseconds. */
const idleMs = 5_000;
/** How long the rest may take, in milliseconds. */
const totalMs = 30_000;
/** How long it may take while the server ends, in milliseconds. */
const endingMs = 1_000;
/** How large the rest may be: several times the largest body that any setting allows. */
const maxBytes = 64 * 1_024 * 1_024;
const lookIntervalMs = 500;
/** So much is read rather than ending the connection, in bytes. It may have come already, and only not been parsed. */
const smallBytes = 64 * 1_024;

/**
 * Reads and discards what is left of requests that were answered before all of them had come, as nginx does. A connection
 * that is closed with unread data is reset: callers who send everything before they read would lose the answer.
 */
export class LingeringClose {
  readonly #sockets = new Set<Socket>();
  #isStopped = false;

  /** Keeps the connection of a request open after the answer, until the rest of the request has come or takes too long. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    // Before Node.js ends the connection.
    response.prependOnceListener('finish', () => {
      if (!request.complete) void this.#linger(request);
    });
  }

  /** Ends the connections that are kept. From now on they are kept for a moment only. */
  stop(): void {
    this.#isStopped = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  async #linger(request: IncomingMessage): Promise<void> {
    const { socket } = request;
    // Node.js calls it after an answer with `Connection: close`, to close both directions at once.
    socket.destroySoon = () => void socket.end();
    this.#sockets.add(socket);
    await discardRest(request, this.#isStopped ? endingMs : totalMs);
    this.#sockets.delete(socket);
    Reflect.deleteProperty(socket, 'destroySoon');
    if (!request.complete || socket.writableEnded) socket.destroy();
  }
}

/** Whether more of a request may come than its connection is kept for. */
export function hasRest({ complete, headers }: IncomingMessage): boolean {
  return !complete && ('transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > smallBytes);
}

async function discardRest(request: IncomingMessage, longestMs: number): Promise<void> {
  const { socket } = request;
  const ended = new AbortController();
  const { signal } = ended;
  const [startedAt, before] = [performance.now(), socket.bytesRead];
  let last = { at: startedAt, bytes: before };
  const look = () => {
    const now = performance.now();
    const bytes = socket.bytesRead;
    if (bytes > last.bytes) last = { at: now, bytes };
    if (now - last.at >= idleMs || now - startedAt >= longestMs || bytes - before > maxBytes) ended.abort();
  };
  const timer = setInterval(look, lookIntervalMs);
  request.resume();
  // A request that has its answer is not told that its connection closes.
  await Promise.race([once(request, 'end', { signal }), once(socket, 'close', { signal })]).catch(() => undefined);
  clearInterval(timer);
  ended.abort();
}
