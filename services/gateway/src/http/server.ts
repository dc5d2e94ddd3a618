import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WireError } from '@mneme/contracts';
import { startListening } from '@mneme/service-kit';
import { codeOf } from '../errors.ts';
import { problemAnswer } from './answers.ts';
import { limitConnections } from './connection-limit.ts';
import { LingeringClose } from './lingering-close.ts';
import { newReading, type Reading, type ReadingLimits, readingOf, tooSlow } from './slow-readers.ts';

/**
 * The request line and headers. Names in paths may be long, and percent-encoding takes up to 12 bytes per character; the
 * largest token has 16 KiB.
 */
const maxHeaderBytes = 32 * 1_024;
/** How long headers may take to arrive, in milliseconds. */
const headersTimeoutMs = 15_000;
/**
 * How many connections may wait to be accepted, if the system allows so many. Of 3,000 that were opened at once, 239 were
 * reset with Node's 511, none with this.
 */
const backlog = 4_096;
/** How often slow requests are looked for, in milliseconds; a request may exceed its timeout by as much. */
const checkIntervalMs = 5_000;
/** Longer than load balancers keep idle connections, so that they close them first, in milliseconds. */
const keepAliveTimeoutMs = 65_000;
/** How long `close` lets running requests complete, in milliseconds. */
const closeTimeoutMs = 8_000;

/** How often to check whether callers read their replies, in milliseconds; more often for short timeouts. */
const lookIntervalMs = 1_000;
const looksPerTimeout = 4;
/** How many bytes of answers all callers together may leave unread; more than ten of the longest. */
const defaultMaxUnreadBytes = 256 * 1_024 * 1_024;
/** How many requests without a complete answer a connection may have. Browsers send one after the other. */
const maxOpenRequests = 100;

export interface Listening {
  readonly port: number;
  /** The address for a browser on this machine. */
  readonly url: string;
  /** Asks callers to use another connection for their next request. */
  letGo(): void;
  /** Takes no more requests and lets the running ones complete. */
  close(): Promise<void>;
}

export interface Address {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** How long a request with its body may take to arrive. */
  readonly requestTimeoutMs: number;
  /** How long a caller may leave an answer unread. */
  readonly responseStallTimeoutMs: number;
  /** How many bytes of answers all callers together may leave unread; 256 MiB unless given. */
  readonly maxUnreadBytes?: number;
  /** Called for each request that could not be read and was answered here. */
  readonly onBroken?: (about: { readonly requestId: string; readonly status: number }) => void;
  /** Called for each connection that is closed at once because there are too many. */
  readonly onRefusedConnection?: () => void;
}

/**
 * Serves an application over HTTP.
 * @throws ListenError when the address is in use or not one of this machine
 */
export async function listen(app: RequestListener, address: Address): Promise<Listening> {
  const { requestTimeoutMs, responseStallTimeoutMs, maxUnreadBytes = defaultMaxUnreadBytes } = address;
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    // The application refuses a request without it, with a problem as its answer.
    requireHostHeader: false,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(checkIntervalMs, requestTimeoutMs),
  });
  server.on('connection', keepAddress);
  const lingering = new LingeringClose();
  const latest = new WeakMap<Socket, ServerResponse>();
  const openRequests = trackRequests(server);
  closeSlowSockets(server, openRequests, { stallTimeoutMs: responseStallTimeoutMs, maxUnreadBytes });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // Of pipelined requests, those that follow the one that went too far come all the same.
    if (request.socket.destroyed || announcesClose(latest.get(request.socket))) return;
    latest.set(request.socket, response);
    lingering.watch(request, response);
    app(request, response);
  });
  // The caller is asked for the body when something reads it, so that a refusal comes first.
  server.on('checkContinue', (request, response) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    server.emit('request', request, response);
  });
  // An expectation that is not known may be ignored (RFC 9110, 10.1.1); Node.js would answer 417 without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', answerBrokenRequest(openRequests, address));
  await limitConnections(server, address.onRefusedConnection);
  await listenAt(server, address);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${visibleHost(address.host)}:${port}`,
    letGo: () => letGo(server),
    close: () => {
      lingering.stop();
      return close(server);
    },
  };
}

/**
 * Finds out whether an address can be listened on, before much else is started for it.
 * @throws ListenError as `listen` does
 */
export async function assertAddressFree(address: Pick<Address, 'host' | 'port'>): Promise<void> {
  const server = createServer();
  await listenAt(server, address);
  await close(server);
}

function listenAt(server: Server, { host, port }: Pick<Address, 'host' | 'port'>): Promise<void> {
  return startListening(server, { port, host, backlog }, `The address ${host}:${port}`);
}

/** Node.js cannot tell the address any more after the caller has reset the connection, which may be before its request is read. */
function keepAddress(socket: Socket): void {
  Object.defineProperty(socket, 'remoteAddress', { value: socket.remoteAddress });
}

/** After such an answer, no request of the connection is worked on (RFC 9112, 9.6): it could not be answered. */
function announcesClose(response: ServerResponse | undefined): boolean {
  return response?.headersSent === true && response.getHeader('connection') === 'close';
}

/** A connection that its caller keeps using would never become idle. */
function letGo(server: Server): void {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
}

async function close(server: Server): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
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

/** Requests that are malformed, too long or too slow never reach the application. */
function answerBrokenRequest(
  openRequests: OpenRequests,
  { requestTimeoutMs, onBroken }: Pick<Address, 'requestTimeoutMs' | 'onBroken'>,
): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  return (error, socket) => {
    const isAnswerable = socket.writable && openRequests.isFree(socket as Socket);
    if (error.code === 'ECONNRESET' || !isAnswerable) socket.destroy();
    else onBroken?.(endWithProblem(refusalOf(error, requestTimeoutMs), socket));
  };
}

function refusalOf(error: NodeJS.ErrnoException, requestTimeoutMs: number): WireError {
  const refusal = (status: number, message: string) => new WireError({ status, code: codeOf(status), message });
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW': {
      const limit = `${maxHeaderBytes / 1_024} KiB`;
      return refusal(431, `The request line and headers are larger than ${limit}; shorten the path, query or headers`);
    }
    case 'ERR_HTTP_REQUEST_TIMEOUT': {
      const [headers, all] = [Math.min(headersTimeoutMs, requestTimeoutMs), requestTimeoutMs];
      return refusal(
        408,
        `The request took too long to arrive: its headers may take ${headers / 1_000} s and all of it ${all / 1_000} s; send less at once`,
      );
    }
    default:
      return refusal(400, 'Bad Request: the request could not be read');
  }
}

function endWithProblem(refusal: WireError, socket: Duplex) {
  const { status } = refusal;
  const requestId = randomUUID();
  const { headers, body } = problemAnswer(refusal, requestId);
  const lines = Object.entries({
    ...headers,
    'X-Request-Id': requestId,
    'Content-Length': body.length,
    Connection: 'close',
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
  return { requestId, status };
}

/** The requests of each connection that have no complete answer yet; pipelined requests are several. */
interface OpenRequests {
  of(socket: Socket): ReadonlySet<OpenRequest>;
  /** Whether the client would take what is written to the socket now for the answer to its last request. */
  isFree(socket: Socket): boolean;
}

interface OpenRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Closes connections with more open requests than one may have: each can take as much memory as the longest answer. */
function trackRequests(server: Server): OpenRequests {
  const open = new WeakMap<Socket, Set<OpenRequest>>();
  const of = (socket: Socket) => open.get(socket) ?? new Set();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const entry = { request, response };
    open.set(socket, of(socket).add(entry));
    response.once('close', () => of(socket).delete(entry));
    if (of(socket).size > maxOpenRequests) socket.destroy();
  });
  return {
    of,
    isFree: (socket) => {
      const [first, ...others] = of(socket);
      const isReceiving = first === undefined || !(first.request.complete || first.response.headersSent);
      return isReceiving && others.length === 0;
    },
  };
}

/**
 * Closes connections whose caller does not read its answers, also pipelined ones, whatever else the caller sends meanwhile.
 * Slow readers may continue while all of them together leave no more unread than they may, as may callers whose answer is
 * not ready yet and streams without new events.
 */
function closeSlowSockets(server: Server, openRequests: OpenRequests, limits: ReadingLimits): void {
  const { stallTimeoutMs } = limits;
  const readings = new Map<Socket, Reading>();
  server.on('connection', (socket: Socket) => {
    readings.set(socket, newReading(performance.now()));
    socket.once('close', () => readings.delete(socket));
  });
  server.setTimeout(stallTimeoutMs, (socket: Socket) => {
    if (openRequests.of(socket).size === 0) socket.destroy();
    else socket.setTimeout(stallTimeoutMs);
  });
  const look = () => {
    const now = performance.now();
    for (const [socket, before] of readings) {
      readings.set(socket, readingOf(socket, queuedBytes(openRequests.of(socket)), before, now));
    }
    for (const socket of tooSlow(readings, limits, now)) socket.destroy();
  };
  const timer = setInterval(look, Math.min(lookIntervalMs, stallTimeoutMs / looksPerTimeout));
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** What answers keep themselves, because the socket is still that of an earlier one. */
function queuedBytes(open: ReadonlySet<OpenRequest>): number {
  let bytes = 0;
  for (const { response } of open) if (response.socket === null) bytes += response.writableLength;
  return bytes;
}
