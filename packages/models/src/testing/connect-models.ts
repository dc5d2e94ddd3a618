import { modelsConfigSchema } from '../config.ts';
import { createModels } from '../create-models.ts';
import type { Models, ModelsDeps } from '../models.ts';
import type { ModelServer } from './model-server.ts';

/** Models that use a stand-in server for every task and for embeddings. Retries have no delay unless `deps.sleep` is given. */
export function connectModels(
  server: Pick<ModelServer, 'url'>,
  env: Readonly<Record<string, string>> = {},
  deps: ModelsDeps = {},
): Promise<Models> {
  const config = modelsConfigSchema.parse({
    LLM_MODEL: 'openai:stand-in',
    LLM_BASE_URL: server.url,
    EMBEDDING_MODEL: 'openai:stand-in-embedding',
    ...env,
  });
  return createModels(config, { sleep: async (_, signal) => signal?.throwIfAborted(), ...deps });
}
