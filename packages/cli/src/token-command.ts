import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { localSecret, mintToken } from '@mneme/local-stack';
import { loadConfig } from '@mneme/service-kit';
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { runCommand } from './run-command.ts';

const tokenConfigSchema = z.object({
  DATA_DIR: z.string().default('.data'),
  JWT_SECRET: z
    .string()
    .refine((secret) => Buffer.byteLength(secret) >= 32, 'must be 32 bytes or more')
    .optional(),
  JWT_JWKS_URL: z.string().optional(),
  JWT_ISSUER: z.string().optional(),
  JWT_AUDIENCE: z.string().optional(),
});

/** The longest life of a token, in days; the gateway refuses tokens that live for more than a year. */
export const maxTokenDays = 365;

export interface TokenParameters {
  readonly user: number;
  readonly days: number;
}

/** Prints a token for a user, signed with the secret of the environment or of the local start. */
export function tokenCommand(parameters: TokenParameters): Promise<void> {
  return runCommand('There is no token.', () => makeToken(parameters));
}

/** @throws Error when tokens come from elsewhere, or there is no secret to sign them with */
export async function makeToken({ user, days }: TokenParameters): Promise<string> {
  const config = loadConfig(tokenConfigSchema, process.env);
  if (config.JWT_JWKS_URL !== undefined) {
    throw new Error('Tokens come from your identity provider, since JWT_JWKS_URL is set.');
  }
  const secret = config.JWT_SECRET ?? secretOf(resolve(process.env.INIT_CWD ?? '.', config.DATA_DIR));
  const claims = { issuer: config.JWT_ISSUER, audience: config.JWT_AUDIENCE };
  return mintToken({ secret, userId: user, days, ...claims });
}

/** A token for data that no one has started with would open nothing, so that a wrong folder is told. */
function secretOf(dataDir: string): string {
  if (existsSync(dataDir)) return localSecret(dataDir, 'jwt-secret');
  throw new Error(
    `${dataDir} does not exist; set DATA_DIR to the data folder of the running system, or set JWT_SECRET.`,
  );
}

/** Reads a number of days, and throws an InvalidArgumentError for another text. */
export function daysParser(maxDays: number): (text: string) => number {
  return (text) => {
    const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
    if (days >= 1 && days <= maxDays) return days;
    throw new InvalidArgumentError(`It has to be a whole number of days from 1 to ${maxDays}.`);
  };
}
