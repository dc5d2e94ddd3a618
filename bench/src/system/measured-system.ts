import { createHttpClient, type HttpClient } from './http-client.ts';
import { startSystem, withTemporaryFolder } from './running-system.ts';

/** Lends a client of the system at MNEME_URL, or of one of its own that ends with the measurement. */
export function withMeasuredSystem<T>(measure: (client: HttpClient) => Promise<T>): Promise<T> {
  const givenUrl = process.env.MNEME_URL;
  if (givenUrl) return withClient(givenUrl, measure);
  return withTemporaryFolder(async (dataDir) => {
    const system = await startSystem(dataDir);
    try {
      return await withClient(system.url, measure);
    } finally {
      await system.stop();
    }
  });
}

async function withClient<T>(url: string, measure: (client: HttpClient) => Promise<T>): Promise<T> {
  const client = createHttpClient(url);
  try {
    return await measure(client);
  } finally {
    client.close();
  }
}
