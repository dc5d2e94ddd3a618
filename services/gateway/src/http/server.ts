import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WireError } from '@mneme/contracts';
import { codeOf, problemAnswer } from './problem.ts';
import { cutStalledSockets, type OpenRequests } from './stalled-sockets.ts';

/**
 * Of a request, with its first line. Names in paths may be long, and percent-encoding makes up to 12 bytes of a
 * character; the largest token has 16 KiB.
 */
const maxHeaderBytes = 32 * 1_024;
/** How long headers may take to come in, in milliseconds. */
const headersTimeoutMs = 15_000;
/** How often it is looked for requests that take too long, in milliseconds; the longest that one may overdo it. */
const checkIntervalMs = 5_000;
/** Longer than load balancers keep idle connections, so that they close them and not we, in milliseconds. */
const keepAliveTimeoutMs = 65_000;
/** How long `close` lets running requests end, in milliseconds. */
const closeTimeoutMs = 10_000;

/** The address cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

export interface Listening {
  readonly port: number;
  /** The address for a browser on this machine. */
  readonly url: string;
  /** Takes no more requests and lets the running ones end. */
  close(): Promise<void>;
}

export interface Address {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** How long a whole request with its body may take to come in. */
  readonly requestTimeoutMs: number;
  /** How long a caller may leave an answer unread. */
  readonly responseStallTimeoutMs: number;
}

/**
 * Serves an application over HTTP.
 * @throws ListenError when the address is taken or not ours
 */
export async function listen(app: RequestListener, address: Address): Promise<Listening> {
  const { requestTimeoutMs } = address;
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(checkIntervalMs, requestTimeoutMs),
    },
    app,
  );
  const openRequests = cutStalledSockets(server, address.responseStallTimeoutMs);
  server.on('clientError', answerBrokenRequest(openRequests));
  await startListening(server, address);
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://${visibleHost(address.host)}:${port}`, close: () => close(server) };
}

async function startListening(server: Server, { host, port }: Address): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'is in use' : 'cannot be listened on';
    throw new ListenError(`The address ${host}:${port} ${reason}`, { cause: error });
  }
}

async function close(server: Server): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  // A connection that a caller keeps using would never be idle.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  server.close(() => resolve());
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
  await closed;
  clearTimeout(timer);
}

function visibleHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** What is no HTTP, too long or too slow never reaches the application. */
function answerBrokenRequest(openRequests: OpenRequests): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  return (error, socket) => {
    const isAnswerable = socket.writable && openRequests.isFree(socket as Socket);
    if (error.code === 'ECONNRESET' || !isAnswerable) socket.destroy();
    else endWithProblem(error, socket);
  };
}

function endWithProblem(error: NodeJS.ErrnoException, socket: Duplex): void {
  const status = brokenStatuses[error.code ?? ''] ?? 400;
  const message = `${STATUS_CODES[status]}: the request could not be read`;
  const requestId = randomUUID();
  const { headers, body } = problemAnswer(new WireError({ status, code: codeOf(status), message }), requestId);
  const lines = Object.entries({
    ...headers,
    'X-Request-Id': requestId,
    'Content-Length': body.length,
    Connection: 'close',
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
}

const brokenStatuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
