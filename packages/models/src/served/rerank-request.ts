import { z } from 'zod';
import { ModelError } from '../model-error.ts';

export interface RerankServer {
  readonly name: string;
  readonly url: string;
  readonly model: string | undefined;
  readonly apiKey: string | undefined;
}

/** The field for the texts: `documents` for most servers, `texts` for text-embeddings-inference. */
export type TextsField = 'documents' | 'texts';

export interface RerankRequest {
  readonly query: string;
  readonly texts: readonly string[];
  readonly textsField: TextsField;
  readonly signal: AbortSignal;
}

export interface Reranked {
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
export async function requestReranking(server: RerankServer, request: RerankRequest): Promise<Reranked> {
  const response = await fetch(server.url, {
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
