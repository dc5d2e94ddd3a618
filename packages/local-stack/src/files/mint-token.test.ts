import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jwtVerify } from 'jose';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { LocalSecretError, localSecret } from './local-secret.ts';
import { mintToken } from './mint-token.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-secret-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

describe('the secret of a data folder', () => {
  it('stays the same, and is for its owner only', () => {
    const secret = localSecret(join(folder, 'data'), 'jwt-secret');
    expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32);
    expect(localSecret(join(folder, 'data'), 'jwt-secret')).toBe(secret);
    expect(statSync(join(folder, 'data', 'jwt-secret')).mode & 0o777).toBe(0o600);
  });

  it('is another one in another folder', () => {
    expect(localSecret(join(folder, 'a'), 'jwt-secret')).not.toBe(localSecret(join(folder, 'b'), 'jwt-secret'));
  });

  it('is another one for another purpose', () => {
    expect(localSecret(folder, 'secrets-key')).not.toBe(localSecret(folder, 'jwt-secret'));
  });

  it('is refused when it is too short, rather than replaced', () => {
    writeFileSync(join(folder, 'jwt-secret'), 'short');
    expect(() => localSecret(folder, 'jwt-secret')).toThrow(LocalSecretError);
  });
});

describe('a token', () => {
  it('names the user and ends after so many days', async () => {
    const secret = localSecret(folder, 'jwt-secret');
    const token = await mintToken({ secret, userId: 7, days: 30 });
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), { algorithms: ['HS256'] });
    expect(payload.sub).toBe('7');
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(30 * 86_400);
  });

  it('says who it is from and for where the gateway wants to know', async () => {
    const secret = localSecret(folder, 'jwt-secret');
    const token = await mintToken({ secret, userId: 1, days: 1, issuer: 'me', audience: 'mneme' });
    const expected = { issuer: 'me', audience: 'mneme' };
    await expect(jwtVerify(token, new TextEncoder().encode(secret), expected)).resolves.toBeDefined();
  });
});
