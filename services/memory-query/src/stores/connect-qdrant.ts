import { reachStore } from '@mneme/event-store';
import { DirectQdrantClient } from './qdrant-client.ts';

/** A large write may take its time, in milliseconds. */
const qdrantTimeoutMs = 60_000;

/** @throws StoreUnreachableError when Qdrant does not answer in time. */
export async function connectQdrant(url: string, apiKey?: string): Promise<DirectQdrantClient> {
  const client = new DirectQdrantClient({ url, apiKey, timeoutMs: qdrantTimeoutMs });
  await reachStore('Qdrant', url, async () => void (await client.getCollections()));
  return client;
}
