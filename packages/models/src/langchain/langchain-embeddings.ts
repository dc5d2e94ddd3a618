import { AsyncLocalStorage } from 'node:async_hooks';
import { OpenAIEmbeddings } from '@langchain/openai';
import { createModelFetch } from '../client/model-fetch.ts';

export interface EmbedderOptions {
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly apiKey: string;
}

export interface EmbedRequest {
  readonly texts: readonly string[];
  /** Requests vectors of this length, which not every server supports. */
  readonly dimensions: number | undefined;
  readonly signal: AbortSignal;
}

export interface Embedded {
  readonly vectors: readonly (readonly number[])[];
  readonly inputTokens: number;
}

/** One request to an embedding server, without retries. Throws what OpenAI's client throws. */
export type Embedder = (request: EmbedRequest) => Promise<Embedded>;

/** What LangChain hands on neither to a request for embeddings nor from its answer. */
interface Attempt {
  readonly signal: AbortSignal;
  inputTokens: number;
}

const attempts = new AsyncLocalStorage<Attempt>();

/** LangChain's `OpenAIEmbeddings` drops the token count of a request and trusts the order of the answer. */
class MeteredEmbeddings extends OpenAIEmbeddings {
  protected override async embeddingWithRetry(request: object) {
    const response = await super.embeddingWithRetry(request as never);
    const attempt = attempts.getStore();
    if (attempt) attempt.inputTokens += response.usage?.prompt_tokens ?? 0;
    response.data.sort((left, right) => left.index - right.index);
    return response;
  }
}

export function createLangChainEmbedder({ model, baseUrl, apiKey }: EmbedderOptions): Embedder {
  const send = createModelFetch();
  const connect = (dimensions: number | undefined) =>
    new MeteredEmbeddings({
      model,
      apiKey,
      maxRetries: 0,
      // Otherwise requests wait for each other, and are sent with the signal of the one before.
      maxConcurrency: Number.POSITIVE_INFINITY,
      batchSize: Number.MAX_SAFE_INTEGER,
      stripNewLines: false,
      encodingFormat: 'float',
      ...(dimensions === undefined ? {} : { dimensions }),
      configuration: {
        ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
        fetch: (url, init) => send(url, { ...init, signal: attempts.getStore()?.signal ?? null }),
      },
    });
  // A client of OpenAI costs as much processor time as a request.
  const clients = new Map<number | undefined, MeteredEmbeddings>();
  return async ({ texts, dimensions, signal }) => {
    const client = clients.get(dimensions) ?? connect(dimensions);
    clients.set(dimensions, client);
    const attempt: Attempt = { signal, inputTokens: 0 };
    const vectors = await attempts.run(attempt, () => client.embedDocuments([...texts]));
    return { vectors, inputTokens: attempt.inputTokens };
  };
}
