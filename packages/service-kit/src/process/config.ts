import { z } from 'zod';

/** The environment has values that a service cannot start with; the message names all of them. */
class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads a service's configuration from the environment.
 * An empty variable counts as not set, as is usual in compose files.
 * @returns the parsed configuration, frozen
 * @throws ConfigError naming every variable that is wrong, without the values, which may be secrets
 */
export function loadConfig<Schema extends z.ZodObject>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<z.output<Schema>> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return Object.freeze(parsed.data);
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`The configuration is not usable. ${faults.join('; ')}`);
}

/** A whole number in the environment. Checked by a pattern, since `Number('1e3')` and `Number(' 1 ')` are whole numbers too. */
export function wholeNumber(options: { min: number; max: number; default: number }) {
  const { min, max } = options;
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .default(options.default);
}

/** A list separated by commas; blanks around the parts and empty parts are ignored. */
export function commaList() {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .default([]);
}

/** The lowest level that is logged. */
export const logLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info');

/** `NATS_URL`: one or several addresses of NATS, separated by commas. */
export const natsUrl = z
  .string()
  .regex(/^[^\s,]+(\s*,\s*[^\s,]+)*$/, 'must be addresses of NATS')
  .default('nats://127.0.0.1:4222');

/**
 * `NATS_MAX_FILE_STORE`: what a local NATS may store; by the free space unless given. A number of bytes as NATS reads it, such
 * as `1500000000` or `10GB`, where only `K`, `M`, `G` and `T` alone are powers of 1000.
 */
export const natsMaxFileStore = z
  .string()
  .regex(/^[1-9]\d{0,14}([KMGT](i?B|i)?)?$/i, 'must be bytes, or as 500MB, 10GB or 1TB')
  .transform((text) => {
    const unit = text.replace(/^\d+/, '').toUpperCase();
    return Number.parseInt(text, 10) * (unit.length > 1 ? 1_024 : 1_000) ** ' KMGT'.indexOf(unit[0] ?? ' ');
  })
  .refine(Number.isSafeInteger, 'is too large')
  .optional();

/** `MONGODB_URL`. Several hosts are allowed, so only the scheme is checked. */
export const mongodbUrl = z
  .string()
  .regex(/^mongodb(\+srv)?:\/\/.+/, 'must begin with mongodb:// or mongodb+srv://')
  .default('mongodb://127.0.0.1:27017/?directConnection=true');

/** `STREAM_REPLICAS`: how many servers keep the event log and the buckets: 1, 3 or 5. */
export const streamReplicas = wholeNumber({ min: 1, max: 5, default: 1 }).refine(
  (replicas) => replicas % 2 === 1,
  'must be 1, 3 or 5',
);

/** `ACCESS_POLICY`: how much users may see and change in spaces that are not theirs; each service says what it means there. */
export const accessPolicy = z.enum(['spec', 'strict']).default('spec');
export type AccessPolicy = z.output<typeof accessPolicy>;

/**
 * `ITEMS_PER_USER`: how many spaces, projects, API keys and webhooks one user may have, of each kind, and how many tables a
 * project. Their lists have no pages, and the buckets that the gateway authenticates by have room for all users.
 */
export const itemsPerUser = wholeNumber({ min: 1, max: 1_000_000, default: 10_000 });

const hexKey = /^[\da-f]{64}$/i;
const base64Key = /^[A-Za-z\d+/_-]{43}=?$/;

/** `SECRETS_KEY`: 32 bytes as 64 hexadecimal digits or as base64. The parsed value is the bytes. */
export const secretsKey = z
  .string('is needed: 32 bytes, as 64 hexadecimal digits or as base64 (openssl rand -base64 32 makes one)')
  .refine((text) => hexKey.test(text) || base64Key.test(text), {
    error: 'must be 32 bytes, as 64 hexadecimal digits or as base64 (openssl rand -base64 32 makes one)',
  })
  .transform((text): Uint8Array => Buffer.from(text, hexKey.test(text) ? 'hex' : 'base64'));

/** The settings that every service behind the gateway has. */
export const serviceSettings = {
  NATS_URL: natsUrl,
  STREAM_REPLICAS: streamReplicas,
  /** Where `/healthz`, `/readyz` and `/metrics` are served when the service runs in a process of its own; 0 takes a free port. */
  HEALTH_PORT: wholeNumber({ min: 0, max: 65_535, default: 0 }),
  LOG_LEVEL: logLevel,
};
