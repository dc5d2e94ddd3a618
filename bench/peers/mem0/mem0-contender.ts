import { join } from 'node:path';
import { QdrantClient } from '@qdrant/js-client-rest';
import type { Contender } from './contender.ts';

export interface Mem0Options {
  readonly name: string;
  readonly modelUrl: string;
  readonly qdrantUrl: string;
  /** Of the process's own: mem0 keeps its history there. */
  readonly folder: string;
  /** Whether Qdrant is asked not to compress its answers, which mem0 does not do by itself. */
  readonly isUncompressed: boolean;
}

/** mem0 as a library in this process, which is how it is used, with everything else as it comes. */
export async function createMem0({
  name,
  modelUrl,
  qdrantUrl,
  folder,
  isUncompressed,
}: Mem0Options): Promise<Contender> {
  // Both are read when the library is loaded: nothing is to be sent to its makers, nor written into the home folder.
  process.env.MEM0_TELEMETRY = 'false';
  process.env.MEM0_DIR = folder;
  const { Memory } = await import('mem0ai/oss');
  const model = { provider: 'openai', config: { apiKey: 'none', model: 'stand-in', baseURL: modelUrl } };
  const collectionName = name.replaceAll(/\W+/g, '_');
  const memory = new Memory({
    llm: model,
    embedder: model,
    vectorStore: {
      provider: 'qdrant',
      config: isUncompressed ? { collectionName, client: uncompressed(qdrantUrl) } : { collectionName, url: qdrantUrl },
    },
    historyDbPath: join(folder, `${collectionName}.db`),
  });
  return {
    name,
    add: async (owner, text) => {
      const { results } = await memory.add(text, { userId: owner });
      if (results.length !== 1) throw new Error(`${name} made ${results.length} memories of: ${text}`);
    },
    search: async (owner, query) => (await memory.search(query, { filters: { user_id: owner } })).results.length,
    close: async () => undefined,
  };
}

function uncompressed(url: string): QdrantClient {
  return new QdrantClient({ url, headers: { 'accept-encoding': 'identity' }, checkCompatibility: false });
}
