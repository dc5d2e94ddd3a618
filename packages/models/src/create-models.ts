import { setTimeout as delay } from 'node:timers/promises';
import { type OnDownload, thisMachine } from '@mneme/downloads';
import type { ModelsConfig } from './config.ts';
import { defaultEmbeddingSetting, isServedEmbedding, wordsSetting } from './embedding-setting.ts';
import { findModel } from './minilm/find-model.ts';
import { createMiniLmEmbeddings } from './minilm/minilm-embeddings.ts';
import { checkRuntime } from './minilm/runtime.ts';
import { ModelError } from './model-error.ts';
import type { Models, ModelsDeps, ModelsLogger } from './models.ts';
import type { EmbeddingModel } from './ports.ts';
import type { Chunking } from './served/extractor.ts';
import { createServedReranker } from './served/reranker.ts';
import { createUsage } from './usage.ts';
import { createBuiltInModels } from './workers/built-in-models.ts';
import { createTextWorkers, type TextWorkers } from './workers/text-workers.ts';

/**
 * Creates the configured models, and the built-in one for every other task. The libraries for model servers are loaded
 * only when one is configured. Long texts are processed in threads, which start with the first long text.
 *
 * @throws ModelError when a model cannot be used as configured, its files are not available, or its vector length cannot
 * be determined
 */
export async function createModels(config: ModelsConfig, deps: ModelsDeps = {}): Promise<Models> {
  const usage = createUsage(deps);
  const workers = createTextWorkers({ threads: config.MODEL_THREADS });
  const builtIn = createBuiltInModels(workers);
  const served = needsServer(config) ? await connect(config, deps, { onUsage: usage.add, workers }) : undefined;
  // Last, because it starts a process.
  const embeddings = await builtInEmbeddings(config, deps, builtIn.embeddings);
  const clientDeps = { ...clientDepsOf(deps), onUsage: usage.add };
  const models = {
    extractor: served?.extractor ?? builtIn.extractor,
    embeddings: served?.embeddings ?? embeddings.model,
    thinker: served?.thinker ?? builtIn.thinker,
    opinions: served?.opinions ?? builtIn.opinions,
    background: served?.background ?? builtIn.background,
    reranker: createServedReranker(config, clientDeps),
  };
  const closeEmbeddings = async () => embeddings.close();
  const close = async () => {
    await closeEmbeddings();
    await workers.close();
  };
  return { ...models, usage: usage.totals, describe: () => describe(models, config), closeEmbeddings, close };
}

/** An embedding model alone. */
export interface LoadedEmbeddings {
  readonly model: EmbeddingModel;
  /** Ends what the model runs in; running calls fail. */
  close(): Promise<void>;
}

/**
 * Creates the configured embedding model without the models of other tasks, to be used beside another one.
 * @throws ModelError like `createModels`
 */
export async function createEmbeddings(config: ModelsConfig, deps: ModelsDeps = {}): Promise<LoadedEmbeddings> {
  const { embeddings, close } = await createModels(withoutOtherModels(config), deps);
  return { model: embeddings, close };
}

function withoutOtherModels(config: ModelsConfig): ModelsConfig {
  const none = undefined;
  const chat = { LLM_MODEL: none, LLM_MODEL_EXTRACT: none, LLM_MODEL_THINK: none };
  return { ...config, ...chat, LLM_MODEL_OPINIONS: none, LLM_MODEL_BACKGROUND: none, RERANK_URL: none };
}

async function builtInEmbeddings(
  { EMBEDDING_MODEL: setting = defaultEmbeddingSetting, MNEME_MINILM: source }: ModelsConfig,
  { logger, onDownload = logDownloads(logger) }: ModelsDeps,
  words: EmbeddingModel,
): Promise<{ readonly model: EmbeddingModel; close(): void }> {
  if (setting === wordsSetting || isServedEmbedding(setting)) return { model: words, close: () => undefined };
  if (setting !== defaultEmbeddingSetting)
    throw new ModelError(
      'configuration',
      `EMBEDDING_MODEL ${setting}: the built-in models are ${defaultEmbeddingSetting} and ${wordsSetting}.`,
    );
  checkRuntime(thisMachine());
  const model = await createMiniLmEmbeddings(await findModel({ source, onDownload }));
  return { model, close: model.close };
}

/** Says once what is downloaded. */
function logDownloads(logger: ModelsLogger | undefined): OnDownload {
  return (name, receivedBytes) => {
    if (receivedBytes === 0) logger?.info({}, `Downloading the ${name}`);
  };
}

function needsServer(config: ModelsConfig): boolean {
  const { LLM_MODEL, LLM_MODEL_EXTRACT, LLM_MODEL_THINK, LLM_MODEL_OPINIONS, LLM_MODEL_BACKGROUND } = config;
  const chat = [LLM_MODEL, LLM_MODEL_EXTRACT, LLM_MODEL_THINK, LLM_MODEL_OPINIONS, LLM_MODEL_BACKGROUND];
  return isServedEmbedding(config.EMBEDDING_MODEL) || chat.some((model) => model !== undefined);
}

async function connect(
  config: ModelsConfig,
  deps: ModelsDeps,
  { onUsage, workers }: { onUsage: ReturnType<typeof createUsage>['add']; workers: TextWorkers },
) {
  const { createServedModels } = await import('./served/models.ts');
  const chunksOf: Chunking = (item, signal) => workers.run('chunks', item, signal);
  const { storedDimensions } = deps;
  return createServedModels(config, { ...clientDepsOf(deps), onUsage, chunksOf, storedDimensions });
}

function clientDepsOf({ logger, clock, sleep }: ModelsDeps) {
  return {
    logger,
    clock: clock ?? (() => new Date()),
    sleep:
      sleep ??
      (async (delayMs: number, signal: AbortSignal | undefined) => {
        await delay(delayMs, undefined, signal === undefined ? {} : { signal });
      }),
  };
}

function describe(
  models: Omit<Models, 'describe' | 'usage' | 'close' | 'closeEmbeddings'>,
  config: ModelsConfig,
): string {
  const { extractor, embeddings, thinker, opinions, background, reranker } = models;
  const reranking = reranker === undefined ? {} : { reranking: reranker };
  const tasks = { extraction: extractor, embeddings, thinking: thinker, opinions, background, ...reranking };
  const byName = Map.groupBy(Object.entries(tasks), ([, { name }]) => name);
  const parts = [...byName].map(([name, entries]) => `${entries.map(([task]) => task).join(', ')} by ${name}`);
  return `Models: ${parts.join('; ')}${hostsText(config)}.`;
}

/** Only hosts, since a URL may contain a password. */
function hostsText({ LLM_BASE_URL, EMBEDDING_BASE_URL, RERANK_URL }: ModelsConfig): string {
  const addresses = [LLM_BASE_URL, EMBEDDING_BASE_URL, RERANK_URL].filter((address) => address !== undefined);
  const hosts = new Set(addresses.map((address) => new URL(address).host));
  return hosts.size === 0 ? '' : ` (at ${[...hosts].join(' and ')})`;
}
