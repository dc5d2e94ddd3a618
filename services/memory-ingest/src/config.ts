import { modelsConfigShape } from '@mneme/models';
import { serviceSettings, wholeNumber } from '@mneme/service-kit';
import { z } from 'zod';

/** The part of the environment that memory-ingest reads. */
export const memoryIngestConfigSchema = z.object({
  ...modelsConfigShape,
  ...serviceSettings,
  /** How many batches this instance processes concurrently; a quarter more are for spaces without a running batch. */
  INGEST_CONCURRENCY: wholeNumber({ min: 1, max: 256, default: 8 }),
});

export type MemoryIngestConfig = Readonly<z.output<typeof memoryIngestConfigSchema>>;
