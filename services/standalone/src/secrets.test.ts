import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { secretsOf } from './secrets.ts';

it('warns once that the key is missing beside data, which a first start has none of', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mneme-test-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const configured = { JWT_SECRET: undefined, JWT_JWKS_URL: undefined, SECRETS_KEY: undefined };
  const warnings: string[] = [];
  const secrets = (more = {}) => secretsOf({ ...configured, ...more }, dataDir, (sentence) => warnings.push(sentence));
  const { SECRETS_KEY: first } = secrets();
  mkdirSync(join(dataDir, 'nats'));
  expect(secrets().SECRETS_KEY).toEqual(first);
  expect(warnings).toEqual([]);
  rmSync(join(dataDir, 'secrets-key'));
  secrets({ SECRETS_KEY: first });
  expect(warnings).toEqual([]);
  expect(secrets().SECRETS_KEY).not.toEqual(first);
  secrets();
  expect(warnings).toEqual([
    expect.stringMatching(/secrets-key is missing .* fail with 500, .* restore the former file/),
  ]);
});
