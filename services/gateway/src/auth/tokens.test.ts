import { generateKeyPairSync } from 'node:crypto';
import { keys } from '@mneme/contracts';
import { exportJWK } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import type { HttpRequest } from '../testing/http-request.ts';
import {
  handMade,
  type IdentityProvider,
  inSeconds,
  jwtSecret,
  startIdentityProvider,
  userToken,
} from '../testing/tokens.ts';

let provider: IdentityProvider;
let withKeySet: HttpRequest;

const limit = { AUTH_FAILURE_LIMIT: '100000' };
const fixture = useGateway({ JWT_SECRET: jwtSecret, ...limit });
const { http: withSecret } = fixture;

beforeAll(async () => {
  provider = await startIdentityProvider();
  withKeySet = (await fixture.startAnother({ JWT_JWKS_URL: provider.url, ...limit })).http;
});
afterAll(() => provider.stop());
beforeEach(() => fixture.services.answer(keys.listSpaces, () => []));

/** Asks for something that only a user may see. */
const ask = (http: HttpRequest, token: string) =>
  http('GET', '/api/v3/spaces', { headers: { authorization: `Bearer ${token}` } });
/** The actor of the last request. */
const askedBy = () => fixture.asked(keys.listSpaces).at(-1);

async function expectRefused(http: HttpRequest, token: string) {
  const { status, headers, body } = await ask(http, token);
  expect([status, body.code, body.message]).toEqual([401, 'UNAUTHENTICATED', 'The credential is not valid']);
  expect(headers['www-authenticate']).toBe('Bearer realm="mneme", error="invalid_token"');
  expect(fixture.services.requestsTo(keys.listSpaces)).toEqual([]);
}

const valid = () => ({ sub: '7', exp: inSeconds(600) });

describe('a token signed with the secret', () => {
  it('identifies its user', async () => {
    expect((await ask(withSecret, userToken(7))).status).toBe(200);
    expect(askedBy()).toEqual({ userId: 7 });
  });

  const year = 365 * 86_400;

  it('may be valid for a year, and be issued a minute ahead of our clock', async () => {
    for (const claims of [
      { exp: inSeconds(year) },
      { iat: inSeconds(-600), exp: inSeconds(year - 600) },
      { iat: inSeconds(55), exp: inSeconds(600) },
    ]) {
      expect((await ask(withSecret, userToken(7, claims))).status).toBe(200);
    }
  });

  it.each([
    ['for ever', { exp: 1e20 }],
    ['for longer than a year from now', { exp: inSeconds(year + 3 * 86_400) }],
    ['for longer than a year since it was issued', { iat: inSeconds(-2 * year), exp: inSeconds(600) }],
    ['from the future', { iat: inSeconds(90), exp: inSeconds(600) }],
    ['and was issued at no time', { iat: 'yesterday', exp: inSeconds(600) }],
  ])('that lives %s is refused', (_name, claims) => expectRefused(withSecret, userToken(7, claims as never)));

  it('may have expired some seconds ago, and its user id may have 15 digits', async () => {
    expect((await ask(withSecret, userToken('9'.repeat(15), { exp: inSeconds(-3) }))).status).toBe(200);
    expect(askedBy()).toEqual({ userId: 999_999_999_999_999 });
  });

  const bad: Record<string, () => string> = {
    'of alg none': () => handMade(valid(), { alg: 'none' }).replace(/[^.]*$/, ''),
    'of alg none with a signature': () => handMade(valid(), { alg: 'none' }),
    'of alg None': () => handMade(valid(), { alg: 'None' }),
    'in two parts': () => userToken(7).split('.').slice(0, 2).join('.'),
    'with a changed content': () => {
      const [header, , signature] = userToken(7).split('.');
      const content = Buffer.from(JSON.stringify({ ...valid(), sub: '2' })).toString('base64url');
      return `${header}.${content}.${signature}`;
    },
    'with an empty secret': () => handMade(valid(), { alg: 'HS256' }, ''),
    'of alg RS256, signed by a provider': () => handMade(valid(), { alg: 'RS256' }),
    'of no alg': () => handMade(valid(), {}),
    'of another alg': () => handMade(valid(), { alg: 'HS512' }),
    'without a signature': () => userToken(7).replace(/[^.]*$/, ''),
    'with another secret': () => handMade(valid(), { alg: 'HS256' }, `${jwtSecret}!`),
    'with a key that it brings': () => {
      const secret = Buffer.from('a key of the caller, of 32 bytes or more');
      return handMade(valid(), { alg: 'HS256', jwk: { kty: 'oct', k: secret.toString('base64url') } }, secret);
    },
    'with a kid that is a path': () => handMade(valid(), { alg: 'HS256', kid: '/dev/null' }, ''),
    'with a critical header': () => handMade(valid(), { alg: 'HS256', crit: ['x'], x: 1 }),
    'that ended': () => userToken(7, { exp: inSeconds(-60) }),
    'that begins later': () => userToken(7, { nbf: inSeconds(60) }),
    'without an end': () => handMade({ sub: '7' }),
    'with an end in text': () => handMade({ sub: '7', exp: String(inSeconds(600)) }),
    'without a subject': () => handMade({ exp: inSeconds(600) }),
    'that is an array': () => handMade([valid()]),
    'that is no token': () => 'abc',
    'in five parts': () => 'a.b.c.d.e',
    'of a broken header': () => `eyJ.${userToken(7).split('.').slice(1).join('.')}`,
  };
  it.each(Object.entries(bad))('%s is refused', (_name, make) => expectRefused(withSecret, make()));

  it.each([
    '0',
    '-1',
    '1.5',
    'abc',
    '',
    '01',
    '1e3',
    '0x1',
    ' 1',
    '1 ',
    '1\n',
    '1'.repeat(16),
    '١',
    '+1',
    7,
    null,
    true,
    ['1'],
    { $gt: 0 },
  ])('of the user %j is refused', (sub) => expectRefused(withSecret, handMade({ sub, exp: inSeconds(600) })));
});

describe('a token of an identity provider', () => {
  it.each([{ alg: 'RS256', kid: 'rsa' }, { alg: 'ES256', kid: 'ec' }, { alg: 'RS256' }])(
    'identifies its user: %j',
    async (header) => {
      expect((await ask(withKeySet, await provider.sign({}, header))).status).toBe(200);
      expect(askedBy()).toEqual({ userId: 7 });
    },
  );

  it('is refused when it is signed with the public key as if that were a secret', async () => {
    await expectRefused(withKeySet, handMade(valid(), { alg: 'HS256', kid: 'rsa' }, provider.rsa.publicPem));
    await expectRefused(withKeySet, handMade(valid(), { alg: 'HS256' }, jwtSecret));
  });

  it('is refused when another key has signed it, whatever its headers say about that key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const other = await startIdentityProvider();
    const jwk = await exportJWK(publicKey);
    for (const own of [{}, { kid: 'rsa' }, { kid: 'unknown' }, { jku: other.url }, { x5u: other.url }, { jwk }]) {
      await expectRefused(withKeySet, await provider.sign({}, { alg: 'RS256', ...own }, privateKey));
    }
    expect(other.requests()).toBe(0);
    await other.stop();
  });

  it('is refused when it has expired, never expires, or is of another alg, without a request to the provider', async () => {
    const asked = provider.requests();
    for (const exp of [inSeconds(-60), undefined as never]) {
      await expectRefused(withKeySet, await provider.sign({ exp }, { alg: 'RS256', kid: 'rsa' }));
    }
    await expectRefused(withKeySet, await provider.sign({}, { alg: 'PS256', kid: 'rsa' }));
    await expectRefused(withKeySet, handMade(valid(), { alg: 'none', kid: 'rsa' }));
    expect(provider.requests()).toBe(asked);
  });

  it('is 503 while the keys of the provider cannot be fetched, but a forged one is still 401', async () => {
    const gone = await startIdentityProvider();
    await gone.stop();
    const { http } = await fixture.startAnother({ JWT_JWKS_URL: gone.url });
    const { status, headers, body } = await ask(http, await gone.sign({}, { alg: 'RS256', kid: 'rsa' }));
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await expectRefused(http, handMade(valid(), { alg: 'none' }));
    const key = await fixture.records.issueKey();
    expect((await ask(http, key)).status).toBe(403);
  });
});

describe('with a required issuer and audience', () => {
  it('other tokens are refused', async () => {
    const env = { JWT_SECRET: jwtSecret, JWT_ISSUER: 'https://id.example', JWT_AUDIENCE: 'mneme' };
    const { http } = await fixture.startAnother(env);
    const claims = { iss: 'https://id.example', aud: ['mneme', 'other'] };
    expect((await ask(http, userToken(7, claims))).status).toBe(200);
    fixture.services.reset();
    for (const wrong of [{}, { ...claims, iss: 'x' }, { ...claims, aud: 'x' }, { aud: 'mneme' }]) {
      await expectRefused(http, userToken(7, wrong));
    }
  });
});

it('no token is valid without a secret or an identity provider', async () => {
  const { http } = await fixture.startAnother({});
  await expectRefused(http, userToken(7));
});
