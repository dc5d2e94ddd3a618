import { z } from 'zod';

/** The environment has values that a service cannot start with. The message names all of them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads a service's configuration from the environment, once.
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

/** A whole number in the environment. By pattern, since `Number('1e3')` and `Number(' 1 ')` are whole numbers too. */
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

/** A list separated by commas; blanks around the parts and empty parts do not count. */
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

/** Levels of the log, from talkative to none. */
export const logLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info');

/** One or several addresses of NATS, separated by commas. */
export const natsUrl = z
  .string()
  .regex(/^[^\s,]+(\s*,\s*[^\s,]+)*$/, 'must be addresses of NATS')
  .default('nats://127.0.0.1:4222');
