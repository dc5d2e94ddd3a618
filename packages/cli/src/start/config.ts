import { checkTokenSettings, gatewayConfigSchema } from '@mneme/gateway';
import { type KeysConfig, keysConfigSchema } from '@mneme/keys';
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
    ...keysConfigSchema.shape,
    ...memoryIngestConfigSchema.shape,
    ...memoryQueryConfigSchema.shape,
    ...gatewayConfigSchema.shape,
    ...localConfigSchema.shape,
  })
  // A start that is told no way to verify tokens makes a secret of its own, so that it may ask for credentials.
  .superRefine((settings, context) => checkTokenSettings({ ...settings, MEMORY_AUTH: 'optional' }, context));

export interface StartConfig extends Readonly<z.output<typeof startConfigSchema>> {
  /** Of the variables that each service has its own default for. */
  readonly keys: Pick<KeysConfig, 'MONGODB_DATABASE'>;
}

/**
 * Reads the environment of a local start; addresses of servers that are not given are filled in when they run.
 * @throws ConfigError naming every variable that is wrong
 */
export function loadStartConfig(env: Readonly<Record<string, string | undefined>>): StartConfig {
  const config = loadConfig(startConfigSchema, env);
  const { MONGODB_DATABASE } = loadConfig(keysConfigSchema.pick({ MONGODB_DATABASE: true }), env);
  return Object.freeze({ ...config, keys: { MONGODB_DATABASE } });
}
