import { randomBytes } from 'node:crypto';
import { existsSync, fchmodSync, fstatSync, ftruncateSync, readFileSync, realpathSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writePrivateFile } from '@mneme/local-stack';
import { runCommand } from './run-command.ts';

/** Every secret that a system in containers needs: 32 random bytes each, as 64 hexadecimal digits. */
export const secretNames = [
  'JWT_SECRET',
  'SECRETS_KEY',
  'NATS_PASSWORD',
  'MONGODB_PASSWORD',
  'MONGODB_KEY',
  'QDRANT_API_KEY',
  'GRAFANA_PASSWORD',
] as const;

const secretBytes = 32;
const template = join(import.meta.dirname, '../../../.env.example');

interface SecretsParameters {
  /** A file to complete, which is made when it is missing. Unless given, the settings are printed. */
  readonly file?: string;
  /** Only the lines of the secrets. */
  readonly only?: boolean;
}

/** Prints settings with random secrets, or writes those into a file that it lacks. */
export function secretsCommand({ file, only = false }: SecretsParameters): Promise<void> {
  if (file === undefined) return printSecrets(only);
  return runCommand('There are no secrets.', async () => {
    const named = resolve(process.env.INIT_CWD ?? '.', file);
    const path = existsSync(named) ? realpathSync(named) : named;
    const { text, made } = fillSecrets(existsSync(path) ? readFileSync(path, 'utf8') : settings(only));
    if (made.length === 0) return `${path} has all secrets; it is as it was.`;
    await writePrivateFile(path, text);
    return `${path} has new values of ${made.join(', ')}.`;
  });
}

/**
 * A file that stdout goes to is then for its owner only. npm writes the name of the script into a new one first, which would
 * make it unreadable for compose: it is removed, if the file holds nothing else.
 */
async function printSecrets(only: boolean): Promise<void> {
  const { text } = fillSecrets(settings(only));
  const { fd } = process.stdout;
  if (!fstatSync(fd).isFile()) {
    process.stdout.write(text);
    return;
  }
  fchmodSync(fd, 0o600);
  if (!hasOnlyBanner(fd)) {
    writeSync(fd, text);
    return;
  }
  ftruncateSync(fd);
  writeSync(fd, text, 0);
}

/** Whether a file has only lines of npm: empty ones, and `> ` with the script. One that cannot be read may have others. */
function hasOnlyBanner(fd: number): boolean {
  try {
    // The shell has opened it for writing only; this path opens it again.
    const written = readFileSync(`/dev/fd/${fd}`, 'utf8');
    return written.split('\n').every((line) => line === '' || line.startsWith('> '));
  } catch {
    return false;
  }
}

function settings(only: boolean): string {
  return only ? secretNames.map((name) => `${name}=\n`).join('') : readFileSync(template, 'utf8');
}

/**
 * Gives each secret that has no value a random one; others stay as they are.
 * @param text lines `NAME=value`, as in `.env`
 * @returns the text with them, and the names of those that are new
 */
export function fillSecrets(text: string): { readonly text: string; readonly made: readonly string[] } {
  const made = secretNames.filter((name) => !hasValue(text, name) && !isReplaced(text, name));
  const filled = made.reduce((lines, name) => {
    const line = `${name}=${randomBytes(secretBytes).toString('hex')}`;
    const empty = new RegExp(`^${name}=[ \\t]*$`, 'm');
    return empty.test(lines) ? lines.replace(empty, line) : `${lines.replace(/([^\n])$/, '$1\n')}${line}\n`;
  }, text);
  return { text: filled, made };
}

/** Whether a setting takes the place of a secret: `JWT_JWKS_URL` names the keys that verify tokens. */
function isReplaced(text: string, name: string): boolean {
  return name === 'JWT_SECRET' && hasValue(text, 'JWT_JWKS_URL');
}

function hasValue(text: string, name: string): boolean {
  return new RegExp(`^(?:export )?${name}=[ \\t]*[^\\s]`, 'm').test(text);
}
