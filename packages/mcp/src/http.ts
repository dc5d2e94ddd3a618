import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CancelledNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer, type McpServerOptions } from './server.ts';

/** The headers of a request that the protocol uses. */
const protocolHeaders = ['accept', 'content-type', 'mcp-protocol-version'];

export interface McpExchange extends McpServerOptions {
  readonly headers: { get(name: string): string | undefined };
  /** The body, parsed. */
  readonly message: unknown;
  /** Ends the work when no one waits for it any more. */
  readonly signal: AbortSignal;
}

export interface McpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Answers a POST of Streamable HTTP as JSON, without a session: each request has a server of its own, so that any instance
 * can answer it, also after a restart.
 * @throws the reason of `signal`
 */
export async function answerMcp({ headers, message, signal, ...options }: McpExchange): Promise<McpAnswer> {
  const server = createMcpServer(options);
  // The transport waits for the answers to all requests of the POST, and cancelled ones, which can be no others, get none.
  server.setNotificationHandler(CancelledNotificationSchema, () => undefined);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => undefined);
  const end = () => reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    signal.throwIfAborted();
    await server.connect(transport);
    const response = await Promise.race([transport.handleRequest(toRequest(headers), { parsedBody: message }), ended]);
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  } finally {
    signal.removeEventListener('abort', end);
    await server.close();
  }
}

/** The transport wants an address, and uses it for nothing. */
function toRequest(given: McpExchange['headers']): Request {
  const headers = new Headers();
  for (const name of protocolHeaders) {
    const value = given.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request('http://mneme.invalid/mcp', { method: 'POST', headers });
}
