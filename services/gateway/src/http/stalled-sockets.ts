import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Which connections are being answered. */
export interface OpenAnswers {
  /** How many requests of a connection have no whole answer yet; pipelined ones are several. */
  countOf(socket: Socket): number;
}

/**
 * Cuts connections whose caller does not read the answers, also pipelined ones. Node's timeout of a socket begins anew
 * with every byte that the other side takes, so that a slow caller who reads is let go on, as is one whose answer is
 * still being worked on, or a stream without news.
 * @param stallTimeoutMs how long nothing may be taken
 */
export function cutStalledSockets(server: Server, stallTimeoutMs: number): OpenAnswers {
  const open = new WeakMap<Socket, number>();
  const countOf = (socket: Socket) => open.get(socket) ?? 0;
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    open.set(socket, countOf(socket) + 1);
    response.once('close', () => open.set(socket, countOf(socket) - 1));
  });
  server.setTimeout(stallTimeoutMs, (socket: Socket) => {
    const isIdle = countOf(socket) === 0;
    const isStalled = socket.writableLength > 0;
    if (isIdle || isStalled) socket.destroy();
    else socket.setTimeout(stallTimeoutMs);
  });
  return { countOf };
}
