import { createHttpClient } from '../../src/system/http-client.ts';
import { startSystem } from '../../src/system/running-system.ts';
import type { Contender } from './contender.ts';

export interface MnemeOptions {
  readonly name: string;
  readonly modelUrl: string;
  /** Addresses of the servers, as environment variables. */
  readonly servers: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** Mneme over HTTP: a synchronous batch of one item answers when the item can be found, as mem0's `add` does. */
export async function startMneme({ name, modelUrl, servers, folder }: MnemeOptions): Promise<Contender> {
  const system = await startSystem(folder, {
    ...servers,
    LLM_MODEL: 'openai:stand-in',
    EMBEDDING_MODEL: 'openai:stand-in',
    LLM_BASE_URL: modelUrl,
  });
  const client = createHttpClient(system.url);
  return {
    name,
    add: async (owner, content) => {
      await client.post('/api/memories/batch', { agent_id: owner, items: [{ content }] });
    },
    search: async (owner, query) => {
      const found = (await client.post('/api/search', { agent_id: owner, query })) as { results: readonly object[] };
      return found.results.length;
    },
    close: async () => {
      client.close();
      await system.stop();
    },
  };
}
