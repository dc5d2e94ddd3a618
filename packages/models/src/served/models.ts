import { createLimiter } from '@mneme/workers';
import { createRedaction } from '../client/redaction.ts';
import { type Calls, createCalls } from '../client/request-policy.ts';
import type { ModelsConfig } from '../config.ts';
import { type Abilities, createAbilities } from '../langchain/abilities.ts';
import type { Chat } from '../langchain/chat.ts';
import { type ModelId, readModelId } from '../langchain/model-id.ts';
import { ModelError } from '../model-error.ts';
import type { ChatTask, ModelsDeps, ModelUsage } from '../models.ts';
import type { EmbeddingModel, FactExtractor } from '../ports.ts';
import type { BackgroundWriter, OpinionFormer, Thinker } from '../reasoning-ports.ts';
import { createServedBackground } from './background.ts';
import { createServedEmbeddings } from './embeddings.ts';
import { type Chunking, createServedExtractor } from './extractor.ts';
import { createServedOpinions } from './opinions.ts';
import { createServedThinker } from './thinker.ts';

export interface ServedModelsDeps extends Required<Pick<ModelsDeps, 'clock' | 'sleep'>> {
  readonly logger: ModelsDeps['logger'];
  readonly onUsage: (usage: ModelUsage) => void;
  readonly chunksOf: Chunking;
}

/** Those of the models that are configured; a task without one is undefined. */
export interface ServedModels {
  readonly extractor: FactExtractor | undefined;
  readonly embeddings: EmbeddingModel | undefined;
  readonly thinker: Thinker | undefined;
  readonly opinions: OpinionFormer | undefined;
  readonly background: BackgroundWriter | undefined;
}

/** What is looked up must not vary; an answer in one's own words may. */
const temperatures: Record<ChatTask, number> = {
  extract: 0,
  think: 0.5,
  opinions: 0.2,
  background: 0.2,
};

export async function createServedModels(config: ModelsConfig, deps: ServedModelsDeps): Promise<ServedModels> {
  const calls = callsOf(config, deps);
  const abilities = new Map<string, Abilities>();
  const chat = (task: ChatTask, own: string | undefined) => {
    const name = own ?? config.LLM_MODEL;
    return name === undefined
      ? undefined
      : chatOf(task, readModelId(name), config, { calls, abilities, onUsage: deps.onUsage });
  };
  const [extract, think, opinions, background, embeddings] = await Promise.all([
    chat('extract', config.LLM_MODEL_EXTRACT),
    chat('think', config.LLM_MODEL_THINK),
    chat('opinions', config.LLM_MODEL_OPINIONS),
    chat('background', config.LLM_MODEL_BACKGROUND),
    embeddingsOf(config, calls, deps.onUsage),
  ]);
  return {
    extractor: extract && createServedExtractor(extract, deps.chunksOf),
    thinker: think && createServedThinker(think),
    opinions: opinions && createServedOpinions(opinions),
    background: background && createServedBackground(background),
    embeddings,
  };
}

function callsOf(config: ModelsConfig, { logger, clock, sleep }: ServedModelsDeps): Calls {
  return createCalls({
    limiter: createLimiter(config.LLM_CONCURRENCY),
    timeoutMs: config.LLM_TIMEOUT_MS,
    maxRetries: config.LLM_MAX_RETRIES,
    redact: createRedaction([config.LLM_API_KEY, config.EMBEDDING_API_KEY]),
    clock,
    sleep,
    random: Math.random,
    onRetry: (error, delayMs) =>
      logger?.warn({ code: error.code, status: error.status, delayMs }, `${error.message} Trying again.`),
  });
}

interface ChatParts {
  readonly calls: Calls;
  readonly abilities: Map<string, Abilities>;
  readonly onUsage: (usage: ModelUsage) => void;
}

async function chatOf(task: ChatTask, id: ModelId, config: ModelsConfig, parts: ChatParts): Promise<Chat> {
  const { createLangChainChat } = await import('../langchain/langchain-chat.ts');
  const known = parts.abilities.get(id.text) ?? createAbilities();
  parts.abilities.set(id.text, known);
  return createLangChainChat({
    id,
    task,
    temperature: temperatures[task],
    baseUrl: config.LLM_BASE_URL,
    apiKey:
      id.provider === 'openai' ? openAiKey(id, 'LLM', config.LLM_BASE_URL, config.LLM_API_KEY) : config.LLM_API_KEY,
    calls: parts.calls,
    abilities: known,
    onUsage: parts.onUsage,
  });
}

async function embeddingsOf(
  config: ModelsConfig,
  calls: Calls,
  onUsage: (usage: ModelUsage) => void,
): Promise<EmbeddingModel | undefined> {
  if (config.EMBEDDING_MODEL === undefined) return undefined;
  const id = readModelId(config.EMBEDDING_MODEL);
  if (id.provider !== 'openai')
    throw new ModelError(
      'configuration',
      `EMBEDDING_MODEL ${id.text}: only openai:<model> is known, which serves every OpenAI-compatible server through EMBEDDING_BASE_URL.`,
    );
  const { createLangChainEmbedder } = await import('../langchain/langchain-embedder.ts');
  const baseUrl = config.EMBEDDING_BASE_URL ?? config.LLM_BASE_URL;
  const apiKey = openAiKey(id, 'EMBEDDING', baseUrl, config.EMBEDDING_API_KEY ?? config.LLM_API_KEY);
  const embedder = createLangChainEmbedder({ model: id.model, baseUrl, apiKey });
  return createServedEmbeddings({ id, dimensions: config.EMBEDDING_DIMENSIONS, embedder, calls, onUsage });
}

/** A server of one's own may need no key; the client wants one all the same, and would else send the one of OpenAI that it finds in the environment. */
function openAiKey(
  id: ModelId,
  prefix: 'LLM' | 'EMBEDDING',
  baseUrl: string | undefined,
  key: string | undefined,
): string {
  if (key === undefined && baseUrl === undefined)
    throw new ModelError(
      'configuration',
      `${id.text} needs a key: set ${prefix}_API_KEY, or ${prefix}_BASE_URL for a server that needs none.`,
    );
  return key ?? 'none';
}
