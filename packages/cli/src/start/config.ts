import { checkTokenSettings, gatewayConfigSchema } from '@mneme/gateway';
import { memoryIngestConfigSchema } from '@mneme/memory-ingest';
import { memoryQueryConfigSchema } from '@mneme/memory-query';
import { loadConfig } from '@mneme/service-kit';
import { z } from 'zod';

const localConfigSchema = z.object({
  /** Where the servers keep their data and everything writes its log. */
  DATA_DIR: z.string().default('.data'),
});

/** The environment of a local start: of all services, and its own. */
const startConfigSchema = z
  .object({
    ...memoryIngestConfigSchema.shape,
    ...memoryQueryConfigSchema.shape,
    ...gatewayConfigSchema.shape,
    ...localConfigSchema.shape,
  })
  .superRefine(checkTokenSettings);

export type StartConfig = Readonly<z.output<typeof startConfigSchema>>;

/**
 * Reads the environment of a local start; addresses of servers that are not given are filled in when they run.
 * @throws ConfigError naming every variable that is wrong
 */
export function loadStartConfig(env: Readonly<Record<string, string | undefined>>): StartConfig {
  return loadConfig(startConfigSchema, env);
}
