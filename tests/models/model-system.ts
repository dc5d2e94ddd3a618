import { type ModelServer, startModelServer } from '@mneme/models/testing';
import { type System, type SystemOptions, startSystem } from '../system/start-system.ts';

/** The whole system with a stand-in for the server of models. */
export interface ModelSystem {
  readonly system: System;
  readonly model: ModelServer;
  stop(): Promise<void>;
}

/** Short, so that what stalls is given up soon. */
const patience = { LLM_TIMEOUT_MS: '600', LLM_MAX_RETRIES: '1' };

export async function startModelSystem(options: Partial<SystemOptions> = {}): Promise<ModelSystem> {
  const model = await startModelServer();
  const models = { LLM_MODEL: 'openai:stand-in', LLM_BASE_URL: model.url, EMBEDDING_MODEL: 'openai:stand-in' };
  const environment = { ...models, ...patience, ...options.environment };
  const system = await startSystem({ processes: 'one', ...options, environment }).catch(async (error) => {
    await model.stop();
    throw error;
  });
  return {
    system,
    model,
    stop: async () => {
      await system.stop();
      await model.stop();
    },
  };
}

/** What a model answers when it finds one opinion. */
export function oneOpinion(text: string, confidence = 0.8) {
  return { json: { opinions: [{ text, confidence, entities: [{ name: 'Ana', type: 'PERSON' }] }] } };
}
