import { modelsConfigShape } from '@mneme/models';
import { commaList, logLevel, natsUrl, wholeNumber } from '@mneme/service-kit';
import { z } from 'zod';
import { searchParts } from './search/search-settings.ts';

/** The part of the environment that memory-query reads. */
export const memoryQueryConfigSchema = z.object({
  ...modelsConfigShape,
  NATS_URL: natsUrl,
  /** Only the scheme is checked, because a URL may have several hosts. */
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/.+/, 'must begin with mongodb:// or mongodb+srv://')
    .default('mongodb://127.0.0.1:27017/?directConnection=true'),
  MONGODB_DATABASE: z.string().min(1).default('mneme_memory'),
  QDRANT_URL: z
    .string()
    .regex(/^https?:\/\/.+/, 'must begin with http:// or https://')
    .default('http://127.0.0.1:6333'),
  QDRANT_API_KEY: z.string().optional(),
  /** How many servers keep the event log: 1, 3 or 5. */
  STREAM_REPLICAS: wholeNumber({ min: 1, max: 5, default: 1 }),
  /** Parts of the search to switch off, to measure what each of them contributes. */
  SEARCH_WITHOUT: commaList().pipe(z.array(z.enum(searchParts))),
  /** Where `/healthz`, `/readyz` and `/metrics` are served when the service runs alone; 0 chooses a free port. */
  HEALTH_PORT: wholeNumber({ min: 0, max: 65_535, default: 0 }),
  LOG_LEVEL: logLevel,
});

export type MemoryQueryConfig = Readonly<z.output<typeof memoryQueryConfigSchema>>;
