import { createHttpClient, type HttpClient } from './http-client.ts';
import { type SystemMemory, systemMemory } from './process-use.ts';
import { type Settings, startSystem, withTemporaryFolder } from './running-system.ts';

/** A system that a measurement borrows. */
export interface MeasuredSystem {
  readonly client: HttpClient;
  /** Undefined for a system of others, and where the operating system does not say. */
  memory(): Promise<SystemMemory | undefined>;
}

/**
 * Lends the system at MNEME_URL, or one of its own with these settings that ends with the measurement.
 * @param dataDir where its data stay; a temporary folder unless given
 */
export function withMeasuredSystem<T>(
  settings: Settings,
  measure: (system: MeasuredSystem) => Promise<T>,
  dataDir?: string,
): Promise<T> {
  const givenUrl = process.env.MNEME_URL;
  if (givenUrl) {
    const memory = async () => undefined;
    return withClient(givenUrl, (client) => measure({ client, memory }));
  }
  const withFolder = async (folder: string) => {
    const system = await startSystem(folder, settings);
    try {
      const memory = () => systemMemory(system.pid);
      return await withClient(system.url, (client) => measure({ client, memory }));
    } finally {
      await system.stop();
    }
  };
  return dataDir === undefined ? withTemporaryFolder(withFolder) : withFolder(dataDir);
}

async function withClient<T>(url: string, measure: (client: HttpClient) => Promise<T>): Promise<T> {
  const client = createHttpClient(url);
  try {
    return await measure(client);
  } finally {
    client.close();
  }
}
