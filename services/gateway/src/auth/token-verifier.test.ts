import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type IdentityProvider, startIdentityProvider } from '../testing/tokens.ts';
import { createTokenVerifier } from './token-verifier.ts';

const hourMs = 60 * 60 * 1_000;
const minuteMs = 60 * 1_000;
let provider: IdentityProvider;

beforeEach(async () => {
  provider = await startIdentityProvider();
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await provider.stop();
});

const passed = (ms: number) => vi.setSystemTime(Date.now() + ms);
/** Verifies tokens as a gateway does that has just started. */
function startVerifier() {
  const verifier = createTokenVerifier({ JWT_JWKS_URL: provider.url }, Date.now);
  return async (kid: string) => verifier.verify(await provider.sign({}, { alg: 'RS256', kid }));
}

it('follows the keys of the provider when its clock was ahead for a moment', async () => {
  const verify = startVerifier();
  passed(2 * hourMs);
  await verify('rsa');
  passed(-2 * hourMs);
  provider.rotate('2');
  expect(await verify('rsa2')).toMatchObject({ userId: 7 });
  await expect(verify('rsa')).rejects.toMatchObject({ status: 401 });
});

it('asks the provider for unknown keys once in half a minute at most, and for known ones after 10 minutes', async () => {
  const verify = startVerifier();
  await verify('rsa');
  for (let tries = 0; tries < 5; tries += 1) await expect(verify('unknown')).rejects.toMatchObject({ status: 401 });
  expect(provider.requests()).toBe(1);
  passed(minuteMs);
  for (let tries = 0; tries < 5; tries += 1) await expect(verify('unknown')).rejects.toMatchObject({ status: 401 });
  expect(provider.requests()).toBe(2);
  passed(9 * minuteMs);
  await verify('rsa');
  expect(provider.requests()).toBe(2);
});
