import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { qdrantRequested } from '@mneme/telemetry';
import { QdrantClientTimeoutError } from '@qdrant/js-client-rest';

export interface JsonConnectionOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** A request without any response for this time fails, in milliseconds. */
  readonly timeoutMs: number;
}

/** Sends JSON over keep-alive connections. */
export interface JsonConnection {
  /**
   * @param json the body of the request
   * @param timeoutMs that of the connection unless given
   * @throws ResponseError when the status is not 200, CollectionGoneError when it is 404; QdrantClientTimeoutError; errors of
   * the socket
   */
  send(method: 'POST' | 'PUT', path: string, json: string, timeoutMs?: number): Promise<unknown>;
  /** Lets pending requests fail with a QdrantClientTimeoutError. */
  giveUp(): void;
  /** Closes the connections; pending requests fail. */
  close(): void;
}

/** A response with another status than 200. */
class ResponseError extends Error {
  override readonly name: string = 'ResponseError';
  readonly status: number;

  constructor(status: number, path: string, body: string) {
    super(`${path} answered ${status}: ${body.slice(0, maxErrorText)}`);
    this.status = status;
  }
}

/** The server has lost the collection that the path names: it has to be made again. */
class CollectionGoneError extends ResponseError {
  override readonly name = 'CollectionGoneError';
}

/** How much of a response is kept in an error, in UTF-16 code units. */
const maxErrorText = 300;
const maxConnections = 25;

interface JsonRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
  readonly timeoutMs: number;
}

/** Uses Node's own HTTP client, which sends head and body in one write and wraps no stream in another. */
export function createJsonConnection(options: JsonConnectionOptions): JsonConnection {
  const isSecure = options.url.protocol === 'https:';
  const agentOptions = { keepAlive: true, maxSockets: maxConnections };
  const agent = isSecure ? new TlsAgent(agentOptions) : new Agent(agentOptions);
  const open = isSecure ? tlsRequest : request;
  const pending = new Set<ClientRequest>();
  const begin: Begin = ({ method, path, body, timeoutMs }, connection) => {
    const begun = open({
      protocol: options.url.protocol,
      hostname: hostOf(options.url),
      port: options.url.port,
      method,
      path,
      agent: connection === 'new' ? false : agent,
      timeout: timeoutMs,
      headers: { ...options.headers, 'content-type': 'application/json', 'content-length': body.byteLength },
    });
    pending.add(begun);
    begun.once('close', () => pending.delete(begun));
    return begun;
  };
  return {
    send: async (method, path, json, timeoutMs = options.timeoutMs) => {
      const sent = { method, path, body: Buffer.from(json), timeoutMs };
      return JSON.parse(await measured(operationOf(method, path), () => sendWithRetry(begin, sent)));
    },
    giveUp: () => {
      for (const each of pending) each.destroy(new QdrantClientTimeoutError('Qdrant is out of reach'));
    },
    close: () => agent.destroy(),
  };
}

/** @param connection one that is kept alive if there is one, or one for this request alone */
type Begin = (sent: JsonRequest, connection: 'kept' | 'new') => ClientRequest;

async function measured<T>(operation: string, exchange: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  let outcome: 'ok' | 'failed' = 'failed';
  try {
    const result = await exchange();
    outcome = 'ok';
    return result;
  } finally {
    qdrantRequested.publish({
      operation,
      outcome,
      seconds: (performance.now() - startedAt) / 1_000,
    });
  }
}

/** What follows the name of the collection in a path, such as `query` or `query/batch`; points themselves are read or written. */
function operationOf(method: string, path: string): string {
  return /\/points\/([a-z/]+)/.exec(path)?.[1] ?? (method === 'PUT' ? 'upsert' : 'retrieve');
}

/** Node expects an IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * Retries once when the server has closed the connection, or is about to because it has waited too long for the request: this
 * process may have stood still for seconds. All other connections may be closed as well then, so the retry has one of its own.
 * All requests are idempotent.
 */
async function sendWithRetry(begin: Begin, sent: JsonRequest): Promise<string> {
  try {
    return await responseTo(begin(sent, 'kept'), sent);
  } catch (error) {
    if (!isClosed(error)) throw error;
    return responseTo(begin(sent, 'new'), sent);
  }
}

const requestTimeoutStatus = 408;
const notFoundStatus = 404;

function isClosed(error: unknown): boolean {
  const { code, status } = error as { code?: unknown; status?: unknown };
  return code === 'ECONNRESET' || status === requestTimeoutStatus;
}

function responseTo(request: ClientRequest, { path, body }: JsonRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    request.once('timeout', () => request.destroy(new QdrantClientTimeoutError(`${path} was not answered in time`)));
    request.once('error', reject);
    request.once('response', (response) => {
      readText(response).then((text) => {
        if (response.statusCode === 200) resolve(text);
        else reject(refusal(response.statusCode ?? 0, path, text));
      }, reject);
    });
    request.end(body);
  });
}

function refusal(status: number, path: string, text: string): ResponseError {
  return new (status === notFoundStatus ? CollectionGoneError : ResponseError)(status, path, text);
}

function readText(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('error', reject);
    response.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}
