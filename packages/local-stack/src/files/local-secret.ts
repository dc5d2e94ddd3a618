import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { namingFile, readIfThere } from './private-files.ts';

/** What the secrets of a local start are for; also the names of their files in the data folder. */
export type SecretName = 'jwt-secret' | 'secrets-key' | 'nats-password' | 'mongod-password' | 'qdrant-api-key';

const secretBytes = 32;

/** The secret of a local start is not usable; the message says what to do. */
export class LocalSecretError extends Error {
  override readonly name = 'LocalSecretError';
}

/**
 * A secret of a local start: 32 random bytes in base64url, made at the first call and kept in the data folder, for its
 * owner to read only.
 * @throws LocalSecretError when the file holds something else
 */
export function localSecret(dataDir: string, name: SecretName): string {
  const file = join(dataDir, name);
  const secret = readIfThere(file) ?? makeSecret(dataDir, file);
  if (Buffer.byteLength(secret) >= secretBytes) return secret;
  throw new LocalSecretError(
    `${file} does not hold a secret of ${secretBytes} bytes or more; remove it to have one made.`,
  );
}

/** Whole or not at all, and the first one counts when two are made at once. */
function makeSecret(dataDir: string, file: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, `${randomBytes(secretBytes).toString('base64url')}\n`, { mode: 0o600 });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw namingFile(error, file);
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}
