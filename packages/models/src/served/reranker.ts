import { isRefusedRequest } from '../client/failure.ts';
import { type RequestPolicy, withTimeout } from '../client/request-policy.ts';
import type { ModelsConfig } from '../config.ts';
import type { Reranker } from '../ports.ts';
import { createPolicy, type ServedDeps } from './policy.ts';
import { type RerankServer, requestReranking, type TextsField } from './rerank-request.ts';

/** Rerank models read a few hundred tokens, and a server may refuse much longer texts. */
const longestQuery = 2_000;
const longestText = 4_000;

/** The reranker of the configured server; undefined when none is configured. */
export function createServedReranker(config: ModelsConfig, deps: ServedDeps): Reranker | undefined {
  const { RERANK_URL: url, RERANK_MODEL: model, RERANK_API_KEY: apiKey, RERANK_TIMEOUT_MS: timeoutMs } = config;
  if (url === undefined) return undefined;
  const server = { name: `rerank:${model ?? new URL(url).host}`, url, model, apiKey };
  // A limiter and a timeout of its own: a search must not wait behind requests that take a minute.
  const policy = createPolicy(config, deps, { timeoutMs, maxRetryAfterMs: timeoutMs, secrets: [apiKey] });
  const ask = createRequest(server, policy);
  return {
    name: server.name,
    score: async (query, texts, signal) => {
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      const cut = texts.map((text) => fit(text, longestText));
      const work = (inner: AbortSignal) => ask(fit(query, longestQuery), cut, inner);
      // The timeout bounds all attempts and the delays between them together.
      const { scores, inputTokens } = await withTimeout(work, timeoutMs, server.name, signal);
      deps.onUsage({ task: 'rerank', model: server.name, inputTokens, outputTokens: 0 });
      return toUnit(scores);
    },
  };
}

function createRequest(server: RerankServer, policy: RequestPolicy) {
  let textsField: TextsField = 'documents';
  return async (query: string, texts: readonly string[], signal: AbortSignal) => {
    const once = (field: TextsField) =>
      policy.run(
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

/** Some servers return the model's raw numbers, which may be negative: the logistic function keeps their order. */
function toUnit(scores: readonly (number | undefined)[]): (number | undefined)[] {
  const isUnit = scores.every((score) => score === undefined || (score >= 0 && score <= 1));
  return scores.map((score) => (score === undefined || isUnit ? score : 1 / (1 + Math.exp(-score))));
}

function fit(text: string, longest: number): string {
  return text.slice(0, longest).toWellFormed();
}
