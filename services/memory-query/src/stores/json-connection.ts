import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { QdrantClientTimeoutError } from '@qdrant/js-client-rest';

export interface JsonConnectionOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** A request that hears nothing for so long fails, in milliseconds. */
  readonly timeoutMs: number;
}

/** Sends JSON over connections that stay open. */
export interface JsonConnection {
  /** @throws AnswerError when the status is not 200; QdrantClientTimeoutError; what the socket fails with */
  send(method: 'POST' | 'PUT', path: string, body: unknown): Promise<unknown>;
  /** Closes the connections; requests under way fail. */
  close(): void;
}

/** A server answered, and not with what was asked for. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  readonly status: number;

  constructor(status: number, path: string, answer: string) {
    super(`${path} answered ${status}: ${answer.slice(0, longestAnswer)}`);
    this.status = status;
  }
}

const longestAnswer = 300;
const maxConnections = 25;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
}

/** On Node's own client: head and body leave in one write, and no stream is wrapped in another. */
export function createJsonConnection(options: JsonConnectionOptions): JsonConnection {
  const isSecure = options.url.protocol === 'https:';
  const agentOptions = { keepAlive: true, maxSockets: maxConnections };
  const agent = isSecure ? new TlsAgent(agentOptions) : new Agent(agentOptions);
  const open = isSecure ? tlsRequest : request;
  const begin = ({ method, path, body }: Sent): ClientRequest =>
    open({
      ...{ protocol: options.url.protocol, hostname: hostOf(options.url), port: options.url.port },
      ...{ method, path, agent, timeout: options.timeoutMs },
      headers: { ...options.headers, 'content-type': 'application/json', 'content-length': body.byteLength },
    });
  return {
    send: async (method, path, body) => {
      const sent = { method, path, body: Buffer.from(JSON.stringify(body)) };
      return JSON.parse(await exchange(begin, sent));
    },
    close: () => agent.destroy(),
  };
}

/** Node wants an IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The server may close a connection that lay idle just when it is used again. What is sent here may be sent twice. */
async function exchange(begin: (sent: Sent) => ClientRequest, sent: Sent): Promise<string> {
  const first = begin(sent);
  try {
    return await answerTo(first, sent);
  } catch (error) {
    if (!first.reusedSocket || (error as { code?: unknown }).code !== 'ECONNRESET') throw error;
    return answerTo(begin(sent), sent);
  }
}

function answerTo(request: ClientRequest, { path, body }: Sent): Promise<string> {
  return new Promise((resolve, reject) => {
    request.once('timeout', () => request.destroy(new QdrantClientTimeoutError(`${path} was not answered in time`)));
    request.once('error', reject);
    request.once('response', (response) => {
      readText(response).then((text) => {
        if (response.statusCode === 200) resolve(text);
        else reject(new AnswerError(response.statusCode ?? 0, path, text));
      }, reject);
    });
    request.end(body);
  });
}

function readText(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('error', reject);
    response.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}
