import { Agent, request } from 'node:http';

/** Sends JSON to the system under measurement over connections that stay open. */
export interface HttpClient {
  readonly url: string;
  /** @throws Error with the whole answer when the status is not 200 or 201 */
  post(path: string, body: unknown, headers?: Headers): Promise<unknown>;
  /** @throws Error like `post` */
  get(path: string, headers?: Headers): Promise<unknown>;
  close(): void;
}

type Headers = Readonly<Record<string, string>>;

/** Node's plain client, because the benchmark is not to measure the comfort of `fetch`. */
export function createHttpClient(url: string): HttpClient {
  const agent = new Agent({ keepAlive: true });
  return {
    url,
    post: (path, value, headers = {}) => {
      const body = Buffer.from(JSON.stringify(value));
      const described = { 'content-type': 'application/json', 'content-length': String(body.byteLength), ...headers };
      return send({ agent, url: new URL(path, url), method: 'POST', headers: described, body });
    },
    get: (path, headers = {}) => send({ agent, url: new URL(path, url), method: 'GET', headers }),
    close: () => agent.destroy(),
  };
}

interface Outgoing {
  readonly agent: Agent;
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: Buffer;
}

function send({ agent, url, method, headers, body }: Outgoing): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200 || response.statusCode === 201) resolve(JSON.parse(text));
        else reject(new Error(`${url.pathname} answered ${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
