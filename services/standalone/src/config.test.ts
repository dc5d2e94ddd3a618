import { expect, it } from 'vitest';
import { loadStartConfig } from './config.ts';

it('needs no setting at all', () => {
  expect(loadStartConfig({})).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 8080,
    DATA_DIR: '.data',
    MEMORY_AUTH: 'optional',
    SYNC_TIMEOUT_MS: 120_000,
    BODY_LIMIT: 5 * 1024 * 1024,
  });
});

it('makes user 1 the operator, unless an identity provider gives the ids or others are named', () => {
  const operators = (env: Record<string, string>) => loadStartConfig(env).OPERATORS;
  expect(operators({})).toEqual([1]);
  expect(operators({ OPERATORS: '7, 8' })).toEqual([7, 8]);
  expect(operators({ JWT_JWKS_URL: 'https://id.example/keys' })).toEqual([]);
  expect(() => operators({ OPERATORS: '0' })).toThrow(/OPERATORS: must be ids of users/);
});

it.each([
  ['1500000000', 1_500_000_000],
  ['10GB', 10 * 1024 ** 3],
  ['18GiB', 18 * 1024 ** 3],
  ['500m', 500_000_000],
  ['64ki', 65_536],
])('reads what NATS may store as NATS does: %s', (text, bytes) => {
  expect(loadStartConfig({ NATS_MAX_FILE_STORE: text }).NATS_MAX_FILE_STORE).toBe(bytes);
});

it.each(['0', '-1', '10 apples', '1.5GB', '999999999999999T'])('refuses %s for what NATS may store', (text) => {
  expect(() => loadStartConfig({ NATS_MAX_FILE_STORE: text })).toThrow(/NATS_MAX_FILE_STORE: /);
});

it('names all faults of all services together, and no value', () => {
  const start = () => loadStartConfig({ PORT: '1e3', MONGODB_URL: 'secret', SEARCH_WITHOUT: 'neighbours,luck' });
  expect(start).toThrow(/PORT.*MONGODB_URL|MONGODB_URL.*PORT/s);
  expect(start).toThrow(/SEARCH_WITHOUT/);
  expect(start).not.toThrow(/secret/);
});
