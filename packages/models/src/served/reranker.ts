import { z } from 'zod';
import { isRefusedRequest } from '../client/failure.ts';
import { createModelFetch } from '../client/model-fetch.ts';
import { type RequestPolicy, withTimeout } from '../client/request-policy.ts';
import type { ModelsConfig } from '../config.ts';
import { ModelError } from '../model-error.ts';
import type { Reranker } from '../ports.ts';
import { createPolicies, type ServedDeps } from './policy.ts';

/** Rerank models read a few hundred tokens, and a server may refuse much longer texts. */
const longestQuery = 2_000;
const longestText = 4_000;

/** The reranker of the configured server; undefined when none is configured. */
export function createServedReranker(config: ModelsConfig, deps: ServedDeps): Reranker | undefined {
  const { RERANK_URL: url, RERANK_MODEL: model, RERANK_API_KEY: apiKey, RERANK_TIMEOUT_MS: timeoutMs } = config;
  if (url === undefined) return undefined;
  const server = { name: `rerank:${model ?? new URL(url).host}`, url, model, apiKey, send: createModelFetch() };
  // A limiter and a timeout of its own: a search must not wait behind requests that take a minute.
  const { question: policy } = createPolicies(config, deps, {
    timeoutMs,
    maxRetryAfterMs: timeoutMs,
    secrets: [apiKey],
  });
  const ask = createRequest(server, policy);
  const toUnit = createScale();
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

/** The largest rounding error of a score between 0 and 1 that was computed with few digits. */
const rounding = 0.01;

/**
 * Some servers return the model's raw numbers, which may be negative: the logistic function keeps their order. A server
 * that did so once does so always, also where all numbers happen to be between 0 and 1.
 */
function createScale() {
  let isRaw = false;
  const scaled = (score: number) => (isRaw ? 1 / (1 + Math.exp(-score)) : Math.min(1, Math.max(0, score)));
  return (scores: readonly (number | undefined)[]): (number | undefined)[] => {
    isRaw ||= scores.some((score) => score !== undefined && (score < -rounding || score > 1 + rounding));
    return scores.map((score) => (score === undefined ? score : scaled(score)));
  };
}

function fit(text: string, longest: number): string {
  return text.slice(0, longest).toWellFormed();
}

interface RerankServer {
  readonly name: string;
  readonly url: string;
  readonly model: string | undefined;
  readonly apiKey: string | undefined;
  readonly send: typeof fetch;
}

/** The field for the texts: `documents` for most servers, `texts` for text-embeddings-inference. */
type TextsField = 'documents' | 'texts';

interface RerankRequest {
  readonly query: string;
  readonly texts: readonly string[];
  readonly textsField: TextsField;
  readonly signal: AbortSignal;
}

interface Reranked {
  /** One per text, in the order of the request; undefined where the server returned none. */
  readonly scores: (number | undefined)[];
  readonly inputTokens: number;
}

const entrySchema = z.union([
  z.object({ index: z.int().min(0), relevance_score: z.number() }),
  z.object({ index: z.int().min(0), score: z.number() }),
]);
const answerSchema = z.union([
  z.array(entrySchema),
  z.object({
    results: z.array(entrySchema),
    usage: z.object({ total_tokens: z.number().optional() }).nullish().catch(undefined),
  }),
]);

/**
 * One request to a rerank server, without retries.
 *
 * @throws ModelError for an answer that cannot be used; for an error status an error with `status` and `headers`
 */
async function requestReranking(server: RerankServer, request: RerankRequest): Promise<Reranked> {
  const response = await server.send(server.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(server.apiKey === undefined ? {} : { authorization: `Bearer ${server.apiKey}` }),
    },
    body: JSON.stringify(bodyOf(server, request)),
    signal: request.signal,
  });
  const text = await response.text();
  if (!response.ok) throw Object.assign(new Error(text), { status: response.status, headers: response.headers });
  return readAnswer(text, request.texts.length, server.name);
}

function bodyOf({ model }: RerankServer, { query, texts, textsField }: RerankRequest): object {
  if (textsField === 'texts') return { query, texts, truncate: true };
  return { ...(model === undefined ? {} : { model }), query, documents: texts, top_n: texts.length };
}

function readAnswer(text: string, count: number, name: string): Reranked {
  const parsed = answerSchema.safeParse(parseJson(text));
  if (!parsed.success) throw unusable(name, 'has another form than that of a rerank server. Check RERANK_URL');
  const entries = Array.isArray(parsed.data) ? parsed.data : parsed.data.results;
  const inputTokens = Array.isArray(parsed.data) ? 0 : (parsed.data.usage?.total_tokens ?? 0);
  const scores: (number | undefined)[] = Array.from({ length: count }, () => undefined);
  for (const entry of entries) {
    if (entry.index >= count || scores[entry.index] !== undefined)
      throw unusable(name, `names the text ${entry.index} of ${count} wrongly or twice`);
    scores[entry.index] = 'score' in entry ? entry.score : entry.relevance_score;
  }
  if (entries.length === 0) throw unusable(name, 'has no scores');
  return { scores, inputTokens };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unusable(name: string, what: string): ModelError {
  return new ModelError('invalid-output', `${name}: the answer ${what}.`);
}
