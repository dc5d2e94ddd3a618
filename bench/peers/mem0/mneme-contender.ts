import { randomBytes } from 'node:crypto';
import { jwtSecret } from '../../src/access/first-user.ts';
import { createHttpClient } from '../../src/system/http-client.ts';
import { startSystem } from '../../src/system/running-system.ts';
import { startServices } from '../../src/system/service-processes.ts';
import type { Contender } from './contender.ts';

export interface MnemeOptions {
  readonly name: string;
  readonly modelUrl: string;
  /** Addresses of the servers, as environment variables. */
  readonly servers: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Each service in a process of its own, as in a deployment, instead of all in one as with `npm start`. */
  readonly isApart: boolean;
}

const services = ['keys', 'webhook', 'memory-query', 'memory-ingest', 'gateway'];

/** Mneme over HTTP: a synchronous batch of one item answers when the item can be found, as mem0's `add` does. */
export async function startMneme(options: MnemeOptions): Promise<Contender> {
  const { name, modelUrl, servers, folder, isApart } = options;
  const settings = {
    ...servers,
    LLM_MODEL: 'openai:stand-in',
    EMBEDDING_MODEL: 'openai:stand-in',
    LLM_BASE_URL: modelUrl,
  };
  const secrets = { JWT_SECRET: jwtSecret, SECRETS_KEY: randomBytes(32).toString('hex') };
  const system = isApart
    ? await startServices(services, { ...settings, ...secrets })
    : await startSystem(folder, settings);
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
