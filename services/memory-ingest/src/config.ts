import { modelsConfigShape } from '@mneme/models';
import { logLevel, natsUrl, wholeNumber } from '@mneme/service-kit';
import { z } from 'zod';

/** The part of the environment that memory-ingest reads. */
export const memoryIngestConfigSchema = z.object({
  ...modelsConfigShape,
  NATS_URL: natsUrl,
  /** How many servers keep the event log: 1, 3 or 5. */
  STREAM_REPLICAS: wholeNumber({ min: 1, max: 5, default: 1 }),
  /** How many batches this instance processes concurrently; a quarter more are reserved for spaces that have none running. */
  INGEST_CONCURRENCY: wholeNumber({ min: 1, max: 256, default: 8 }),
  /** Where `/healthz`, `/readyz` and `/metrics` are served when the service runs alone; 0 chooses a free port. */
  HEALTH_PORT: wholeNumber({ min: 0, max: 65_535, default: 0 }),
  LOG_LEVEL: logLevel,
});

export type MemoryIngestConfig = Readonly<z.output<typeof memoryIngestConfigSchema>>;
