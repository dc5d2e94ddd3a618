import { reachStore } from '@mneme/read-models';
import { mapInSlices } from '@mneme/workers/time-slices';
import { QdrantClient } from '@qdrant/js-client-rest';
import { createJsonConnection, type JsonConnection } from './json-connection.ts';

/** Long enough for large writes, in milliseconds. */
const qdrantTimeoutMs = 60_000;
/** Shorter than the gateway waits for an answer, which then says that Qdrant is out of reach. */
const readTimeoutMs = 20_000;

/** @throws StoreUnreachableError when Qdrant does not answer in time */
export async function connectQdrant(url: string, apiKey?: string): Promise<DirectQdrantClient> {
  const client = new DirectQdrantClient(url, apiKey);
  await reachStore('Qdrant', url, async () => void (await client.getCollections()));
  return client;
}

/** Without `identity` a short response is compressed and sent in two packets, which costs 40 ms. */
const uncompressed = { 'accept-encoding': 'identity' };
/**
 * For what the official client sends itself, which is little: it gives no way to close its idle connections, and a Qdrant
 * that is told to stop waits 4 s for them.
 */
const unshared = { connection: 'close' };
/** The port of a URL without one, as in the official client. */
const defaultPort = '6333';

/**
 * Qdrant's client, with the requests of searches and writes sent without `fetch`, see
 * docs/decisions/0022-qdrant-through-nodes-http-client.md.
 */
class DirectQdrantClient extends QdrantClient {
  readonly #connection: JsonConnection;

  constructor(url: string, apiKey: string | undefined) {
    // As a header, because with the `apiKey` option the client requires https and otherwise warns on the console.
    const headers = { ...uncompressed, ...(apiKey === undefined ? {} : { 'api-key': apiKey }) };
    super({ url, headers: { ...headers, ...unshared }, checkCompatibility: false, timeout: qdrantTimeoutMs });
    this.#connection = createJsonConnection({ url: withPort(url), headers, timeoutMs: qdrantTimeoutMs });
  }

  /** Closes the connections; pending requests fail. */
  close(): void {
    this.#connection.close();
  }

  /** Lets what waits for Qdrant fail at once, as when it takes too long. */
  giveUp(): void {
    this.#connection.giveUp();
  }

  override async queryBatch(
    ...[name, { searches }]: Parameters<QdrantClient['queryBatch']>
  ): ReturnType<QdrantClient['queryBatch']> {
    const queries = await mapInSlices(searches, (search) => JSON.stringify(search));
    return this.#read(`${pointsOf(name)}/query/batch`, `{"searches":[${queries}]}`);
  }

  override async retrieve(...[name, body]: Parameters<QdrantClient['retrieve']>): ReturnType<QdrantClient['retrieve']> {
    return this.#read(pointsOf(name), JSON.stringify(body));
  }

  override async count(...[name, body]: Parameters<QdrantClient['count']>): ReturnType<QdrantClient['count']> {
    return this.#read(`${pointsOf(name)}/count`, JSON.stringify(body ?? {}));
  }

  override async upsert(
    ...[name, { wait, ...body }]: Parameters<QdrantClient['upsert']>
  ): ReturnType<QdrantClient['upsert']> {
    const path = `${pointsOf(name)}?wait=${wait ?? true}`;
    if (!('points' in body)) return this.#send('PUT', path, JSON.stringify(body));
    const { points, ...rest } = body;
    const texts = await mapInSlices(points, (point) => JSON.stringify(point));
    const json = JSON.stringify({ ...rest, points: [] });
    return this.#send(
      'PUT',
      path,
      json.replace(/\[\]\}$/, () => `[${texts}]}`),
    );
  }

  override async delete(
    ...[name, { wait, ...body }]: Parameters<QdrantClient['delete']>
  ): ReturnType<QdrantClient['delete']> {
    return this.#send('POST', `${pointsOf(name)}/delete?wait=${wait ?? true}`, JSON.stringify(body));
  }

  override async setPayload(
    ...[name, { wait, ...body }]: Parameters<QdrantClient['setPayload']>
  ): ReturnType<QdrantClient['setPayload']> {
    return this.#send('POST', `${pointsOf(name)}/payload?wait=${wait ?? true}`, JSON.stringify(body));
  }

  #read<T>(path: string, json: string): Promise<T> {
    return this.#send('POST', path, json, readTimeoutMs);
  }

  async #send<T>(method: 'POST' | 'PUT', path: string, json: string, timeoutMs?: number): Promise<T> {
    const { result } = (await this.#connection.send(method, path, json, timeoutMs)) as { result: T };
    return result;
  }
}

function pointsOf(collection: string): string {
  return `/collections/${encodeURIComponent(collection)}/points`;
}

function withPort(url: string): URL {
  const address = new URL(url);
  if (address.port === '') address.port = defaultPort;
  return address;
}
