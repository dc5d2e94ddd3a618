import { z } from 'zod';

const modelId = z
  .string()
  .regex(/^[a-z][a-z0-9_-]*:\S+$/, 'must be <provider>:<model>, for example openai:gpt-4o-mini')
  .optional();

const address = z
  .string()
  .refine(
    (text) => /^https?:\/\//.test(text) && URL.canParse(text),
    'must be an address that starts with http:// or https://',
  )
  .optional();

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** The part of the environment that chooses models; to be spread into a service's own schema. Everything is optional: without it the built-in models work. */
export const modelsConfigShape = {
  /** The language model for every task, `<provider>:<model>`. */
  LLM_MODEL: modelId,
  /** An OpenAI-compatible server, up to and with its `/v1`. */
  LLM_BASE_URL: address,
  LLM_API_KEY: z.string().optional(),
  LLM_MODEL_EXTRACT: modelId,
  LLM_MODEL_THINK: modelId,
  LLM_MODEL_OPINIONS: modelId,
  LLM_MODEL_BACKGROUND: modelId,
  /** How long one call may last, from the connection to the last byte. Node's own limit for the first byte is 300 s. */
  LLM_TIMEOUT_MS: wholeNumber(10, 300_000).default(60_000),
  /** How many calls to models, of all tasks and embeddings together, run at once in this process. */
  LLM_CONCURRENCY: wholeNumber(1, 1_000).default(8),
  /** How often a call is tried again after a rate limit, a fault of the server or of the network. */
  LLM_MAX_RETRIES: wholeNumber(0, 20).default(4),
  EMBEDDING_MODEL: modelId,
  /** That of the language model unless given; so is the key. */
  EMBEDDING_BASE_URL: address,
  EMBEDDING_API_KEY: z.string().optional(),
  /** Length of a vector. The model is asked once at the start when it is not given. */
  EMBEDDING_DIMENSIONS: wholeNumber(1, 65_536).optional(),
  /** The whole address to which a rerank server wants its requests, for example `http://127.0.0.1:8000/v1/rerank`. */
  RERANK_URL: address,
  /** Left out of the request unless given; servers of one model need none. */
  RERANK_MODEL: z.string().optional(),
  RERANK_API_KEY: z.string().optional(),
  /** How long a search waits for the rerank server in all, tries again included. */
  RERANK_TIMEOUT_MS: wholeNumber(10, 20_000).default(5_000),
  /** How many threads read long texts at most. One fewer than processors unless given, but two at least. */
  MODEL_THREADS: wholeNumber(1, 64).optional(),
};

const modelsConfigSchema = z.object(modelsConfigShape);

/** What `modelsConfigShape` gives; other variables of a service may stand beside it. */
export type ModelsConfig = Readonly<z.output<typeof modelsConfigSchema>>;
