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

/** LangChain's `OpenAIEmbeddings` drops the token count of a request and trusts the order of the answer. */
class MeteredEmbeddings extends OpenAIEmbeddings {
  inputTokens = 0;

  protected override async embeddingWithRetry(request: object) {
    const response = await super.embeddingWithRetry(request as never);
    this.inputTokens += response.usage?.prompt_tokens ?? 0;
    response.data.sort((left, right) => left.index - right.index);
    return response;
  }
}

export function createLangChainEmbedder({ model, baseUrl, apiKey }: EmbedderOptions): Embedder {
  const send = createModelFetch();
  return async ({ texts, dimensions, signal }) => {
    // A client per request: LangChain accepts no signal for embeddings, only a `fetch`. Connections are shared anyway.
    const embeddings = new MeteredEmbeddings({
      model,
      apiKey,
      maxRetries: 0,
      batchSize: texts.length,
      stripNewLines: false,
      encodingFormat: 'float',
      ...(dimensions === undefined ? {} : { dimensions }),
      configuration: {
        ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
        fetch: (url, init) => send(url, { ...init, signal }),
      },
    });
    const vectors = await embeddings.embedDocuments([...texts]);
    return { vectors, inputTokens: embeddings.inputTokens };
  };
}
