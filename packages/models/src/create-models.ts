import { setTimeout as delay } from 'node:timers/promises';
import type { ModelsConfig } from './config.ts';
import type { Models, ModelsDeps } from './models.ts';
import type { Chunking } from './served/extractor.ts';
import { createServedReranker } from './served/reranker.ts';
import { createUsage } from './usage.ts';
import { createBuiltInModels } from './workers/built-in-models.ts';
import { createTextWorkers, type TextWorkers } from './workers/text-workers.ts';

/**
 * Creates the configured models, and the built-in one for every other task. The libraries for model servers are loaded
 * only when one is configured. Long texts are processed in threads, which start with the first long text.
 *
 * @throws ModelError when a model cannot be used as configured, or when its vector length cannot be determined
 */
export async function createModels(config: ModelsConfig, deps: ModelsDeps = {}): Promise<Models> {
  const usage = createUsage(deps);
  const workers = createTextWorkers({ threads: config.MODEL_THREADS });
  const builtIn = createBuiltInModels(workers);
  const served = needsServer(config) ? await connect(config, deps, { onUsage: usage.add, workers }) : undefined;
  const clientDeps = { ...clientDepsOf(deps), onUsage: usage.add };
  const models = {
    extractor: served?.extractor ?? builtIn.extractor,
    embeddings: served?.embeddings ?? builtIn.embeddings,
    thinker: served?.thinker ?? builtIn.thinker,
    opinions: served?.opinions ?? builtIn.opinions,
    background: served?.background ?? builtIn.background,
    reranker: createServedReranker(config, clientDeps),
  };
  return { ...models, usage: usage.totals, describe: () => describe(models, config), close: workers.close };
}

function needsServer(config: ModelsConfig): boolean {
  const { LLM_MODEL, LLM_MODEL_EXTRACT, LLM_MODEL_THINK, LLM_MODEL_OPINIONS, LLM_MODEL_BACKGROUND, EMBEDDING_MODEL } =
    config;
  return [
    LLM_MODEL,
    LLM_MODEL_EXTRACT,
    LLM_MODEL_THINK,
    LLM_MODEL_OPINIONS,
    LLM_MODEL_BACKGROUND,
    EMBEDDING_MODEL,
  ].some((model) => model !== undefined);
}

async function connect(
  config: ModelsConfig,
  deps: ModelsDeps,
  { onUsage, workers }: { onUsage: ReturnType<typeof createUsage>['add']; workers: TextWorkers },
) {
  const { createServedModels } = await import('./served/models.ts');
  const chunksOf: Chunking = (text, signal) => workers.run('chunks', text, signal);
  return createServedModels(config, { ...clientDepsOf(deps), onUsage, chunksOf });
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

function describe(models: Omit<Models, 'describe' | 'usage' | 'close'>, config: ModelsConfig): string {
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
