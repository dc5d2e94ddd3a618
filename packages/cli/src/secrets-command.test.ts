import { spawnSync } from 'node:child_process';
import {
  closeSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillSecrets, secretNames, secretsCommand } from './secrets-command.ts';
import { main } from './testing/main.ts';

const root = join(import.meta.dirname, '../../..');
const example = readFileSync(join(root, '.env.example'), 'utf8');

function setTo(text: string, name: string): string | undefined {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1];
}

it('gives every secret of the example a value of its own, and leaves the other lines', () => {
  const { text, made } = fillSecrets(example);
  expect(made).toEqual(secretNames);
  const values = secretNames.map((name) => setTo(text, name));
  for (const value of values) expect(value).toMatch(/^[\da-f]{64}$/);
  expect(new Set(values).size).toBe(secretNames.length);
  const withoutSecrets = text.replace(/=[\da-f]{64}$/gm, '=');
  expect(withoutSecrets).toBe(example);
});

it('changes no secret that there is, and appends those that a file lacks', () => {
  const { text, made } = fillSecrets('JWT_SECRET=mine\nexport NATS_PASSWORD="also mine"\nSECRETS_KEY=  \nPORT=80');
  expect(made).not.toContain('JWT_SECRET');
  expect(made).not.toContain('NATS_PASSWORD');
  expect(text).toMatch(
    /^JWT_SECRET=mine\nexport NATS_PASSWORD="also mine"\nSECRETS_KEY=[\da-f]{64}\nPORT=80\nMONGODB_/,
  );
  expect(fillSecrets(text)).toEqual({ text, made: [] });
});

it('makes no secret for tokens of an identity provider', () => {
  const { made } = fillSecrets('JWT_JWKS_URL=https://login.example.org/jwks\nJWT_SECRET=\n');
  expect(made).not.toContain('JWT_SECRET');
});

it('makes every secret without which docker-compose.yml does not start', () => {
  const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const required = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  expect([...new Set(required)].toSorted()).toEqual([...secretNames].toSorted());
});

it('completes a file that others could read, without showing them what is new', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-secrets-'));
  const [path, link] = [join(folder, 'settings'), join(folder, '.env')];
  writeFileSync(path, 'PORT=80\n', { mode: 0o644 });
  symlinkSync(path, link);
  const opened = openSync(path, 'r');
  try {
    await secretsCommand({ file: link });
    expect(readFileSync(path, 'utf8')).toMatch(/^PORT=80\nJWT_SECRET=/);
    expect([statSync(path).mode & 0o777, lstatSync(link).isSymbolicLink()]).toEqual([0o600, true]);
    expect(readFileSync(opened, 'utf8')).toBe('PORT=80\n');
  } finally {
    closeSync(opened);
    rmSync(folder, { recursive: true });
  }
});

describe('a file that the secrets are printed to', () => {
  const banner = '\n> mneme@0.1.0 mneme\n> node scripts/mneme.mjs secrets --only\n\n';
  const secrets = /^(?:[A-Z_]+=[\da-f]{64}\n){7}$/;

  /** @param flags of the shell: `w` for `>`, `a` for `>>` */
  function printAfter(content: string, flags: 'w' | 'a'): { readonly text: string; readonly mode: number } {
    const folder = mkdtempSync(join(tmpdir(), 'mneme-secrets-'));
    const path = join(folder, '.env');
    const stdout = openSync(path, flags, 0o644);
    try {
      writeFileSync(stdout, content);
      spawnSync(process.execPath, [main, 'secrets', '--only'], { stdio: ['ignore', stdout, 'inherit'] });
      return { text: readFileSync(path, 'utf8'), mode: statSync(path).mode & 0o777 };
    } finally {
      closeSync(stdout);
      rmSync(folder, { recursive: true });
    }
  }

  it.each(['w', 'a'] as const)('has no banner of npm, and is for its owner only (%s)', (flags) => {
    const { text, mode } = printAfter(banner, flags);
    expect(text).toMatch(secrets);
    expect(mode).toBe(0o600);
  });

  it.each(['w', 'a'] as const)('keeps everything else that it has (%s)', (flags) => {
    const content = `SMTP_HOST=mail.example.org\n${banner}`;
    const { text } = printAfter(content, flags);
    expect(text.slice(0, content.length)).toBe(content);
    expect(text.slice(content.length)).toMatch(secrets);
  });
});
