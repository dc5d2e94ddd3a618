import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Which requests of each connection have no whole answer yet; pipelined ones are several. */
export interface OpenRequests {
  /** Whether what is written to the socket now would be taken for the answer to the last request, and for no part of another. */
  isFree(socket: Socket): boolean;
}

/** One that waits for its answer. */
interface OpenRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Cuts connections whose caller does not read the answers, also pipelined ones. Node's timeout of a socket begins anew
 * with every byte that the other side takes, so that a slow caller who reads is let go on, as is one whose answer is
 * still being worked on, or a stream without news.
 * @param stallTimeoutMs how long nothing may be taken
 */
export function cutStalledSockets(server: Server, stallTimeoutMs: number): OpenRequests {
  const open = new WeakMap<Socket, Set<OpenRequest>>();
  const of = (socket: Socket) => open.get(socket) ?? new Set();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const entry = { request, response };
    open.set(socket, of(socket).add(entry));
    response.once('close', () => of(socket).delete(entry));
  });
  server.setTimeout(stallTimeoutMs, (socket: Socket) => {
    const isIdle = of(socket).size === 0;
    const isStalled = socket.writableLength > 0;
    if (isIdle || isStalled) socket.destroy();
    else socket.setTimeout(stallTimeoutMs);
  });
  return {
    isFree: (socket) => {
      const [first, ...others] = of(socket);
      const isReceiving = first === undefined || !(first.request.complete || first.response.headersSent);
      return isReceiving && others.length === 0;
    },
  };
}
