import { type IncomingHttpHeaders, request as send } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  readonly body: any;
}

export interface RequestOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export type HttpRequest = (method: string, path: string, options?: RequestOptions) => Promise<Reply>;

/** Sends requests to one address. Not by `fetch`, which would put paths in order before they are sent. */
export function httpClient(port: number): HttpRequest {
  return async (method, path, { body, raw, headers } = {}) => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const options = { host: '127.0.0.1', port, method, path, headers: { ...type, ...headers }, agent: false };
    const outgoing = send(options, async (response) => {
      const received = await text(response);
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: received,
        body: received !== '' && /json/.test(response.headers['content-type'] ?? '') ? JSON.parse(received) : undefined,
      });
    });
    outgoing.once('error', reject);
    outgoing.end(payload);
    return promise;
  };
}
