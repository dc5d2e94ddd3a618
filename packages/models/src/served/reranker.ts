import { createLimiter } from '@mneme/workers';
import { createRedaction } from '../client/redaction.ts';
import { type Calls, createCalls } from '../client/request-policy.ts';
import type { ModelsConfig } from '../config.ts';
import { isRefusedRequest } from '../langchain/abilities.ts';
import { ModelError } from '../model-error.ts';
import type { Reranker } from '../ports.ts';
import type { ServedModelsDeps } from './models.ts';
import { type RerankServer, requestReranking, type TextsField } from './rerank-request.ts';

/** Models that rerank read a few hundred tokens; a server may refuse what is much longer. */
const longestQuery = 2_000;
const longestText = 4_000;

type RerankerDeps = Omit<ServedModelsDeps, 'chunksOf'>;

/** A reranker on the server that the configuration names; undefined when it names none. */
export function createServedReranker(config: ModelsConfig, deps: RerankerDeps): Reranker | undefined {
  const { RERANK_URL: url, RERANK_MODEL: model, RERANK_API_KEY: apiKey, RERANK_TIMEOUT_MS: timeoutMs } = config;
  if (url === undefined) return undefined;
  const server = { name: `rerank:${model ?? new URL(url).host}`, url, model, apiKey };
  const ask = createRequest(server, callsOf(config, deps));
  return {
    name: server.name,
    score: async (query, texts, signal) => {
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      const cut = texts.map((text) => fit(text, longestText));
      const { scores, inputTokens } = await within(timeoutMs, server.name, signal, (inner) =>
        ask(fit(query, longestQuery), cut, inner),
      );
      deps.onUsage({ task: 'rerank', model: server.name, inputTokens, outputTokens: 0 });
      return toUnit(scores);
    },
  };
}

/** A search waits for it, so that it has a limit of its own: it is not to stand behind calls that last a minute. */
function callsOf(config: ModelsConfig, { logger, clock, sleep }: RerankerDeps): Calls {
  return createCalls({
    limiter: createLimiter(config.LLM_CONCURRENCY),
    timeoutMs: config.RERANK_TIMEOUT_MS,
    maxRetries: config.LLM_MAX_RETRIES,
    longestAskedDelayMs: config.RERANK_TIMEOUT_MS,
    redact: createRedaction([config.RERANK_API_KEY]),
    clock,
    sleep,
    random: Math.random,
    onRetry: (error, delayMs) =>
      logger?.warn({ code: error.code, status: error.status, delayMs }, `${error.message} Trying again.`),
  });
}

function createRequest(server: RerankServer, calls: Calls) {
  let textsField: TextsField = 'documents';
  return async (query: string, texts: readonly string[], signal: AbortSignal) => {
    const once = (field: TextsField) =>
      calls.run(
        server.name,
        (attempt) => requestReranking(server, { query, texts, textsField: field, signal: attempt }),
        signal,
      );
    try {
      return await once(textsField);
    } catch (error) {
      if (textsField === 'texts' || !isRefusedRequest(error) || !/\btexts\b/.test(error.message)) throw error;
      textsField = 'texts';
      return once(textsField);
    }
  };
}

/** Bounds all tries and the waits between them together. */
async function within<T>(
  timeoutMs: number,
  name: string,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = AbortSignal.timeout(timeoutMs);
  try {
    return await work(outer === undefined ? over : AbortSignal.any([over, outer]));
  } catch (error) {
    outer?.throwIfAborted();
    if (over.aborted) throw new ModelError('timeout', `${name}: no answer within ${timeoutMs / 1000} s.`);
    throw error;
  }
}

/** Some servers give the model's raw numbers, which may be negative: the logistic function keeps their order. */
function toUnit(scores: readonly (number | undefined)[]): (number | undefined)[] {
  const isUnit = scores.every((score) => score === undefined || (score >= 0 && score <= 1));
  return scores.map((score) => (score === undefined || isUnit ? score : 1 / (1 + Math.exp(-score))));
}

function fit(text: string, longest: number): string {
  return text.slice(0, longest).toWellFormed();
}
