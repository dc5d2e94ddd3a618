import { modelsConfigShape } from '@mneme/models';
import { queryConcurrency } from '@mneme/read-models';
import { commaList, mongodbUrl, serviceSettings } from '@mneme/service-kit';
import { z } from 'zod';
import { searchParts } from './search/search-settings.ts';

/** The part of the environment that memory-query reads. */
export const memoryQueryConfigSchema = z.object({
  ...modelsConfigShape,
  ...serviceSettings,
  MONGODB_URL: mongodbUrl,
  MONGODB_DATABASE: z.string().min(1).default('mneme_memory'),
  QDRANT_URL: z
    .string()
    .regex(/^https?:\/\/.+/, 'must begin with http:// or https://')
    .default('http://127.0.0.1:6333'),
  QDRANT_API_KEY: z.string().optional(),
  QUERY_CONCURRENCY: queryConcurrency,
  /** Parts of the search to switch off, to measure what each of them contributes. */
  SEARCH_WITHOUT: commaList().pipe(z.array(z.enum(searchParts))),
});

export type MemoryQueryConfig = Readonly<z.output<typeof memoryQueryConfigSchema>>;
