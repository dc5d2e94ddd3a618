import { Agent, request } from 'node:http';

/** Posts JSON to the system under measurement over connections that stay open. */
export interface HttpClient {
  /** @throws Error with the whole answer when the status is not 200 */
  post(path: string, body: unknown): Promise<unknown>;
  close(): void;
}

/** Node's plain client, because the benchmark is not to measure the comfort of `fetch`. */
export function createHttpClient(url: string): HttpClient {
  const agent = new Agent({ keepAlive: true });
  return {
    post: (path, body) => post(agent, new URL(path, url), Buffer.from(JSON.stringify(body))),
    close: () => agent.destroy(),
  };
}

function post(agent: Agent, url: URL, body: Buffer): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.byteLength };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`${url.pathname} answered ${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
