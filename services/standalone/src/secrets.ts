import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { localSecret } from '@mneme/local-stack';
import type { StartConfig } from './config.ts';

type ConfiguredSecrets = Pick<StartConfig, 'JWT_SECRET' | 'JWT_JWKS_URL' | 'SECRETS_KEY'>;

/**
 * What has to be secret: as it is configured, else made and kept in the data folder.
 * @param warn told, in one sentence, that a key was lost
 */
export function secretsOf(
  { JWT_SECRET, JWT_JWKS_URL, SECRETS_KEY }: ConfiguredSecrets,
  dataDir: string,
  warn: (sentence: string) => void,
) {
  const signing = JWT_SECRET ?? (JWT_JWKS_URL === undefined ? localSecret(dataDir, 'jwt-secret') : undefined);
  if (SECRETS_KEY === undefined && isKeyLost(dataDir)) warn(lostKey(dataDir));
  return {
    SECRETS_KEY: SECRETS_KEY ?? Buffer.from(localSecret(dataDir, 'secrets-key'), 'base64url'),
    ...(signing !== undefined && { JWT_SECRET: signing }),
  };
}

/** The first start makes the key before there is any data. */
function isKeyLost(dataDir: string): boolean {
  return existsSync(join(dataDir, 'nats')) && !existsSync(join(dataDir, 'secrets-key'));
}

const lostKey = (dataDir: string) =>
  `${join(dataDir, 'secrets-key')} is missing although there is data, so a new key was made: deliveries to webhooks that ` +
  'check signatures fail with 500, and stored tokens of webhooks cannot be shown, until you restore the former file ' +
  '(or set SECRETS_KEY to the former key) and start again. See docs/backup.md.';
