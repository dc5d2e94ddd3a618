import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fillSecrets, secretNames } from './secrets-command.ts';

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
