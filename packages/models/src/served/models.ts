import type { RequestPolicy } from '../client/request-policy.ts';
import type { ModelsConfig } from '../config.ts';
import { isServedEmbedding } from '../embedding-setting.ts';
import { type Chat, type ModelId, readModelId } from '../langchain/chat.ts';
import type { Abilities } from '../langchain/langchain-chat.ts';
import { ModelError } from '../model-error.ts';
import type { ChatTask, ModelsDeps, ModelUsage } from '../models.ts';
import type { EmbeddingModel, FactExtractor } from '../ports.ts';
import type { BackgroundWriter, OpinionFormer, Thinker } from '../reasoning-ports.ts';
import { createServedEmbeddings } from './embeddings.ts';
import { type Chunking, createServedExtractor } from './extractor.ts';
import { createPolicies, type Policies, type RequestUrgency, type ServedDeps } from './policy.ts';
import { createServedBackground, createServedOpinions, createServedThinker } from './reasoning.ts';

export interface ServedModelsDeps extends ServedDeps {
  readonly chunksOf: Chunking;
  readonly storedDimensions: ModelsDeps['storedDimensions'];
}

/** The configured models; a task without one is undefined. */
export interface ServedModels {
  readonly extractor: FactExtractor | undefined;
  readonly embeddings: EmbeddingModel | undefined;
  readonly thinker: Thinker | undefined;
  readonly opinions: OpinionFormer | undefined;
  readonly background: BackgroundWriter | undefined;
}

/** Extraction must not vary between runs; an answer in free words may. */
const temperatures: Record<ChatTask, number> = {
  extract: 0,
  think: 0.5,
  opinions: 0.2,
  background: 0.2,
};

/** A caller waits for them; of batches there may be many. */
const urgencies: Record<ChatTask, RequestUrgency> = {
  extract: 'batch',
  think: 'answer',
  opinions: 'answer',
  background: 'answer',
};

export async function createServedModels(config: ModelsConfig, deps: ServedModelsDeps): Promise<ServedModels> {
  const newPolicies = () =>
    createPolicies(config, deps, {
      timeoutMs: config.LLM_TIMEOUT_MS,
      secrets: [config.LLM_API_KEY, config.EMBEDDING_API_KEY],
    });
  // Each model has its own limits: one that hangs must not keep requests from the others.
  const policiesByModel = new Map<string, Policies>();
  const abilities = new Map<string, Abilities>();
  const chat = (task: ChatTask, own: string | undefined, urgency = urgencies[task]) => {
    const name = own ?? config.LLM_MODEL;
    if (name === undefined) return undefined;
    const policies = policiesByModel.get(name) ?? newPolicies();
    policiesByModel.set(name, policies);
    return chatOf(task, readModelId(name), config, { ...deps, policy: policies[urgency], abilities });
  };
  const [extract, think, opinions, revisions, background, embeddings] = await Promise.all([
    chat('extract', config.LLM_MODEL_EXTRACT),
    chat('think', config.LLM_MODEL_THINK),
    chat('opinions', config.LLM_MODEL_OPINIONS),
    // No one waits for opinions that are reconsidered, and there may be many.
    chat('opinions', config.LLM_MODEL_OPINIONS, 'background'),
    chat('background', config.LLM_MODEL_BACKGROUND),
    embeddingsOf(config, newPolicies(), deps),
  ]);
  return {
    extractor: extract && {
      ...createServedExtractor(extract, deps.chunksOf),
      itemsAtOnce: config.LLM_CONCURRENCY,
    },
    thinker: think && createServedThinker(think),
    opinions: opinions && revisions && createServedOpinions(opinions, revisions),
    background: background && createServedBackground(background),
    embeddings,
  };
}

interface ChatParts {
  readonly policy: RequestPolicy;
  readonly abilities: Map<string, Abilities>;
  readonly clock: () => Date;
  readonly onUsage: (usage: ModelUsage) => void;
}

async function chatOf(task: ChatTask, id: ModelId, config: ModelsConfig, parts: ChatParts): Promise<Chat> {
  const { createAbilities, createLangChainChat } = await import('../langchain/langchain-chat.ts');
  const known = parts.abilities.get(id.text) ?? createAbilities();
  parts.abilities.set(id.text, known);
  return createLangChainChat({
    id,
    task,
    temperature: temperatures[task],
    baseUrl: config.LLM_BASE_URL,
    apiKey:
      id.provider === 'openai' ? openAiKey(id, 'LLM', config.LLM_BASE_URL, config.LLM_API_KEY) : config.LLM_API_KEY,
    policy: parts.policy,
    abilities: known,
    clock: parts.clock,
    onUsage: parts.onUsage,
  });
}

async function embeddingsOf(
  config: ModelsConfig,
  policies: Policies,
  { onUsage, storedDimensions }: ServedModelsDeps,
): Promise<EmbeddingModel | undefined> {
  if (!isServedEmbedding(config.EMBEDDING_MODEL)) return undefined;
  const id = readModelId(config.EMBEDDING_MODEL);
  const { createLangChainEmbedder } = await import('../langchain/langchain-embeddings.ts');
  const embedder = createLangChainEmbedder({ model: id.model, ...embeddingServer(id, config) });
  const { EMBEDDING_DIMENSIONS: dimensions, EMBEDDING_CALIBRATION: calibration } = config;
  const stored = dimensions === undefined ? await storedDimensions?.(id.text) : undefined;
  return createServedEmbeddings({ id, dimensions, stored, calibration, embedder, policies, onUsage });
}

/** Where Ollama listens unless it is told otherwise. */
const ollamaUrl = 'http://127.0.0.1:11434/v1';

function embeddingServer(id: ModelId, config: ModelsConfig): { baseUrl: string | undefined; apiKey: string } {
  const { EMBEDDING_BASE_URL, EMBEDDING_API_KEY, LLM_BASE_URL, LLM_API_KEY } = config;
  // The address and the key of a language model on another server are not meant for Ollama.
  if (id.provider === 'ollama')
    return { baseUrl: EMBEDDING_BASE_URL ?? ollamaUrl, apiKey: EMBEDDING_API_KEY ?? 'none' };
  if (id.provider !== 'openai')
    throw new ModelError(
      'configuration',
      `EMBEDDING_MODEL ${id.text}: only builtin:minilm, builtin:words, ollama:<model> and openai:<model> are known; openai: ` +
        'serves every OpenAI-compatible server through EMBEDDING_BASE_URL.',
    );
  const baseUrl = EMBEDDING_BASE_URL ?? LLM_BASE_URL;
  return { baseUrl, apiKey: openAiKey(id, 'EMBEDDING', baseUrl, EMBEDDING_API_KEY ?? LLM_API_KEY) };
}

/** A self-hosted server may need no key, but without one the client would send the OpenAI key that it finds in the environment. */
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
