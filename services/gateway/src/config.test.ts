import { loadConfig } from '@mneme/service-kit';
import { describe, expect, it } from 'vitest';
import { gatewayConfigSchema, warningAbout } from './config.ts';

const load = (env: Record<string, string>) => loadConfig(gatewayConfigSchema, env);
const secret = 'f81bb5fbc7b4e0a5d0a1d6a6c3f9d2e7';
const url = 'https://id.example/.well-known/jwks.json';

describe('how users are verified', () => {
  it('may be set in one way, or not at all while credentials are optional', () => {
    expect(load({}).MEMORY_AUTH).toBe('optional');
    expect(load({ MEMORY_AUTH: 'required', JWT_SECRET: secret }).JWT_SECRET).toBe(secret);
    expect(load({ MEMORY_AUTH: 'required', JWT_JWKS_URL: url }).JWT_JWKS_URL).toBe(url);
  });

  it('is required when credentials are: the gateway does not start, and says what it needs', () => {
    expect(() => load({ MEMORY_AUTH: 'required' })).toThrow(/MEMORY_AUTH: .*JWT_SECRET or JWT_JWKS_URL/);
    expect(() => load({ MEMORY_AUTH: 'required', JWT_SECRET: '' })).toThrow(/JWT_SECRET/);
  });

  it('may not be set in two ways', () => {
    expect(() => load({ JWT_SECRET: secret, JWT_JWKS_URL: url })).toThrow(/JWT_JWKS_URL: cannot be set together/);
  });

  it.each(['ü', 'ü'.repeat(15), 'qwertyuiopqwertyuiopqwertyuiopq'])('wants a secret of 32 bytes: %s', (given) => {
    expect(() => load({ JWT_SECRET: given })).toThrow(/JWT_SECRET: must be 32 bytes or more/);
    expect(() => load({ JWT_SECRET: given })).not.toThrow(given);
  });

  it('counts bytes of the secret, not characters', () => {
    expect(load({ JWT_SECRET: 'éàèùâêîô'.repeat(2) }).JWT_SECRET).toBeDefined();
  });

  it.each(['a'.repeat(32), 'test-secret-test-secret-test-secret', '1234567'.repeat(5)])(
    'warns of a secret that is easily guessed, and says how to make one: %s',
    (given) => {
      const warning = warningAbout(load({ JWT_SECRET: given }));
      expect(warning).toMatch(/JWT_SECRET has fewer than 8 different characters.*openssl/);
      expect(warning).not.toContain(given);
    },
  );

  it('warns of no other secret', () => {
    expect([warningAbout(load({})), warningAbout(load({ JWT_SECRET: secret }))]).toEqual([undefined, undefined]);
  });

  it.each(['id.example/jwks', 'file:///etc/keys', 'ftp://id.example/', 'data:application/json,{}', 'http://'])(
    'requires an address of http or https for keys: %s',
    (given) => expect(() => load({ JWT_JWKS_URL: given })).toThrow(/JWT_JWKS_URL: must be an address/),
  );
});

it('stores the event log on 1, 3 or 5 servers', () => {
  for (const replicas of [1, 3, 5]) expect(load({ STREAM_REPLICAS: String(replicas) }).STREAM_REPLICAS).toBe(replicas);
  for (const given of ['0', '2', '4', '6', '1.5']) {
    expect(() => load({ STREAM_REPLICAS: given })).toThrow(/STREAM_REPLICAS: /);
  }
});

describe('the base URL of webhooks, and the key of their secrets', () => {
  it.each(['https://hooks.example', 'http://127.0.0.1:8080/', 'https://example.org/mneme'])('may be %s', (given) => {
    expect(load({ PUBLIC_BASE_URL: given }).PUBLIC_BASE_URL).toBe(given.replace(/\/$/, ''));
  });

  it.each([
    'hooks.example',
    'ftp://hooks.example',
    'https://',
    'https://a.example?b',
    'https://a.example#b',
    'https://u:p@a',
  ])('is not %s', (given) =>
    expect(() => load({ PUBLIC_BASE_URL: given })).toThrow(/PUBLIC_BASE_URL: must be an address/),
  );

  it('is a key of 32 bytes, which never appears in errors', () => {
    expect(load({ SECRETS_KEY: 'ab'.repeat(32) }).SECRETS_KEY).toHaveLength(32);
    expect(() => load({ SECRETS_KEY: 'short-key' })).toThrow(/SECRETS_KEY: must be 32 bytes/);
    expect(() => load({ SECRETS_KEY: 'short-key' })).not.toThrow('short-key');
  });
});

describe('the origins whose pages may use the API', () => {
  it.each(['*', 'https://a.example', 'http://localhost:5173,https://a.example', 'http://[::1]:8080', 'app://local'])(
    'may be %s',
    (given) => expect(load({ CORS_ORIGINS: given }).CORS_ORIGINS).toEqual(given.split(',')),
  );

  it.each([
    'foo',
    'a.example',
    'https://a.example/',
    'https://a.example/path',
    'https://A.example',
    'https://a.example:443',
    'https://u@a.example',
    'https://a.example,foo',
  ])('are not %s', (given) => expect(() => load({ CORS_ORIGINS: given })).toThrow(/CORS_ORIGINS: must be origins/));
});

describe('the proxies whose headers are trusted', () => {
  it.each(['loopback', '10.0.0.1', '10.0.0.0/8', '10.0.0.1/32', 'fd00::/1', '::1/128,loopback'])('may be %s', (given) =>
    expect(load({ TRUSTED_PROXIES: given }).TRUSTED_PROXIES).toEqual(given.split(',')),
  );

  it.each(['10.0.0.0/99', '10.0.0.0/33', '10.0.0.0/0', 'fd00::/129', 'fd00::/0', '10.0.0.0/', 'proxy.example'])(
    'are not %s',
    (given) => expect(() => load({ TRUSTED_PROXIES: given })).toThrow(/TRUSTED_PROXIES: must be addresses, networks/),
  );
});
