import { checkTokenSettings, gatewayConfigSchema } from '@mneme/gateway';
import { keysConfigSchema } from '@mneme/keys';
import { memoryIngestConfigSchema } from '@mneme/memory-ingest';
import { memoryQueryConfigSchema } from '@mneme/memory-query';
import { loadConfig, natsMaxFileStore } from '@mneme/service-kit';
import { webhookConfigSchema } from '@mneme/webhook';
import { z } from 'zod';

/** The user of the person who starts Mneme on their own machine. */
export const firstUserId = 1;

const localConfigSchema = z.object({
  /** Where the servers keep their data and everything writes its log. */
  DATA_DIR: z.string().default('.data'),
  /** How the `mneme` command is run here, for people; the image says how in its container. */
  MNEME_COMMAND: z.string().default('npm run mneme --'),
  /** What the local NATS may store; by the free space unless given. */
  NATS_MAX_FILE_STORE: natsMaxFileStore,
});

/** The environment of a local start: of all services, and its own. */
const startConfigSchema = z
  .object({
    ...webhookConfigSchema.shape,
    ...keysConfigSchema.shape,
    ...memoryIngestConfigSchema.shape,
    ...memoryQueryConfigSchema.shape,
    ...gatewayConfigSchema.shape,
    ...localConfigSchema.shape,
    // Optional here: a local start makes one.
    SECRETS_KEY: webhookConfigSchema.shape.SECRETS_KEY.optional(),
  })
  // A start that is told no way to verify tokens makes a secret of its own, so that it may ask for credentials.
  .superRefine((settings, context) => checkTokenSettings({ ...settings, MEMORY_AUTH: 'optional' }, context));

export interface StartConfig extends Readonly<z.output<typeof startConfigSchema>> {
  /** Where the services keep their read models; each has a default of its own for the same variable. */
  readonly databases: Readonly<Record<'keys' | 'webhook', string>>;
}

/**
 * Reads the environment of a local start; addresses of servers that are not given are filled in when they run.
 * @throws ConfigError naming every variable that is wrong
 */
export function loadStartConfig(env: Readonly<Record<string, string | undefined>>): StartConfig {
  const config = loadConfig(startConfigSchema, { ...env, OPERATORS: env.OPERATORS || defaultOperators(env) });
  const database = (schema: typeof keysConfigSchema | typeof webhookConfigSchema) =>
    loadConfig(z.object({ name: schema.shape.MONGODB_DATABASE }), { name: env.MONGODB_DATABASE }).name;
  const databases = { keys: database(keysConfigSchema), webhook: database(webhookConfigSchema) };
  return Object.freeze({ ...config, databases });
}

/** The person who starts Mneme is user 1, unless an identity provider gives the ids. */
function defaultOperators({ JWT_JWKS_URL: provider }: Readonly<Record<string, string | undefined>>): string {
  return provider ? '' : String(firstUserId);
}
