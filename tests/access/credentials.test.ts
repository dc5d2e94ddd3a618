import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accessRoutes } from '@mneme/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HeaderFields, HttpClient } from '../system/http-client.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { hs256, inSeconds, jwtSecret, type Signer, signToken, tokenOf } from '../system/tokens.ts';
import { createKey, newPerson, type Person, refusal } from './person.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const publicPem = publicKey.export({ type: 'spki', format: 'pem' });
const rs256: Signer = (signed) => sign('RSA-SHA256', Buffer.from(signed), privateKey);

let system: SharedSystem;
let required: HttpClient;
let withJwks: HttpClient;
let ana: Person;
let key: string;
let other: string;
/** How often somebody asked for keys where a token said that they lie. */
let strangerAsked = 0;
let strangerUrl: string;

beforeAll(async () => {
  system = await shareSystem();
  required = (await system.addGateway({ MEMORY_AUTH: 'required' })).http;
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
  const provider = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
  const stranger = createServer((_request, response) => {
    strangerAsked += 1;
    response.end(JSON.stringify({ keys: [jwk] }));
  });
  const [providerUrl, otherUrl] = await Promise.all([provider, stranger].map(listen));
  strangerUrl = otherUrl ?? '';
  withJwks = (await system.addGateway({ JWT_SECRET: '', JWT_JWKS_URL: `${providerUrl}/jwks` })).http;
  ana = await newPerson(system.http);
  key = (await createKey(ana)).key;
  other = (await createKey(ana)).key;
  return async () => {
    for (const server of [provider, stranger]) server.close();
    await system.release();
  };
});

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
const exp = () => inSeconds(600);
const good = () => ({ sub: '1', exp: exp() });
const unsigned: Signer = () => Buffer.alloc(0);

/** The gateway's own tests have many more. */
const forged: Readonly<Record<string, () => string>> = {
  'signed by no one, alg none': () => signToken(good(), { header: { alg: 'none' }, signer: unsigned }),
  'without its signature': () => `${tokenOf(1).split('.').slice(0, 2).join('.')}.`,
  'signed with another secret': () => signToken(good(), { signer: hs256(randomBytes(32)) }),
  'that ended': () => signToken({ sub: '1', exp: inSeconds(-60) }),
  'of the user "0"': () => signToken({ sub: '0', exp: exp() }),
};

describe.each(Object.entries(forged))('a token %s', (_name, makeToken) => {
  test('is 401 at every door, never anonymous', async () => {
    for (const http of [system.http, required]) {
      for (const path of ['/api/list', '/api/v3/me']) await expectNoEntry(http, path, bearer(makeToken()));
    }
  });
});

async function expectNoEntry(http: HttpClient, path: string, headers: HeaderFields): Promise<void> {
  const answer = await http.get(path, headers);
  expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
}

test('a token that ended a moment ago is still good, as clocks differ', async () => {
  const { status } = await system.http.as(signToken({ sub: '1', exp: inSeconds(-2) })).get('/api/v3/me');
  expect(status).toBe(200);
});

test('a user may have 15 digits', async () => {
  const { body } = await system.http.as(signToken({ sub: '9'.repeat(15), exp: exp() })).get('/api/v3/me');
  expect(body.user_id).toBe(999_999_999_999_999);
});

const odd: Readonly<Record<string, () => HeaderFields>> = {
  'a key in upper case': () => bearer(key.toUpperCase()),
  'a key with upper-case digits': () => bearer(`sk-${key.slice(3).toUpperCase()}`),
  'a key of 31 digits': () => bearer(key.slice(0, -1)),
  'a key of 33 digits': () => bearer(`${key}0`),
  'a key with a newline behind it': () => bearer(`${key}%0A`),
  'a key in quotes': () => bearer(`"${key}"`),
  'its hash': () => bearer(createHash('sha256').update(key).digest('hex')),
  'its hash behind sk-': () => bearer(`sk-${createHash('sha256').update(key).digest('hex')}`),
  'a pattern of NATS': () => bearer('sk-*'),
  'a wildcard of NATS': () => ({ 'x-api-key': '>' }),
  'a path': () => ({ 'x-api-key': '../api-keys' }),
  'a token as a key': () => ({ 'x-api-key': tokenOf(1) }),
  'another scheme': () => ({ authorization: `Basic ${Buffer.from(`1:${key}`).toString('base64')}` }),
  'a key without a scheme': () => ({ authorization: key }),
  'a scheme without a key': () => ({ authorization: 'Bearer' }),
  'an empty header': () => ({ authorization: '' }),
  'an empty key': () => ({ 'x-api-key': '' }),
  'two keys in one header': () => ({ 'x-api-key': `${key}, ${key}` }),
  'a good key beside another scheme': () => ({ authorization: 'Basic YTpi', 'x-api-key': key }),
};

test.each(Object.entries(odd))('%s is 401 at every door', async (_name, headers) => {
  for (const http of [system.http, required]) {
    const answer = await http.get('/api/list', headers());
    // What is said twice and differently may also be a bad request.
    expect([400, 401]).toContain(answer.status);
    expect(JSON.stringify(answer.body)).not.toContain(key.slice(3));
  }
});

test('a key is taken from either header, and from both when they say the same', async () => {
  for (const headers of [bearer(key), { authorization: `bearer ${key}` }, { 'x-api-key': key }]) {
    expect((await required.get('/api/list', headers)).status).toBe(200);
  }
  expect((await required.get('/api/list', { ...bearer(key), 'x-api-key': key })).status).toBe(200);
});

test('both headers with different keys are 400, whichever of them is good', async () => {
  for (const [left, right] of [
    [key, other],
    [other, key],
    [key, `sk-${'0'.repeat(32)}`],
  ] as const) {
    const answer = await system.http.get('/api/list', { ...bearer(left), 'x-api-key': right });
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  }
});

test('a key in the address opens nothing', async () => {
  await ana.http.post('/api/memories/batch', {
    agent_id: 'only-of-ana',
    items: [{ content: 'The heron of Ana is called Pim.' }],
  });
  for (const name of ['api_key', 'key', 'x-api-key', 'access_token', 'token', 'authorization']) {
    const path = `/api/list?${name}=${key}`;
    expect((await required.get(path)).status).toBe(401);
    const { status, body } = await system.http.get(path);
    expect([200, 400, 401, 422]).toContain(status);
    expect(JSON.stringify(body)).not.toContain('heron');
  }
});

test('100 KB of header are refused, and the next request is answered', async () => {
  for (const headers of [bearer('x'.repeat(100_000)), { 'x-api-key': `sk-${'a'.repeat(100_000)}` }]) {
    const { status } = await system.http.get('/api/list', headers);
    expect([400, 401, 431]).toContain(status);
  }
  expect((await system.http.get('/api/list', bearer(key))).status).toBe(200);
});

describe('where a credential is required', () => {
  test('a request without one is 401', async () => await expectNoEntry(required, '/api/list', {}));

  test('health, metrics and documentation are open all the same', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']) {
      expect((await required.get(path)).status).toBe(200);
    }
  });

  test('keys and users get in', async () => {
    for (const credential of [key, tokenOf(ana.userId)]) {
      expect((await required.get('/api/list', bearer(credential))).status).toBe(200);
    }
  });
});

test.each(Object.entries(accessRoutes))('%s is not for keys: 403', async (_name, { method, path }) => {
  const request = { method: method.toUpperCase(), headers: bearer(key) };
  const answer = await system.http.send(path.replace('{id}', '1'), request);
  expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
});

test.each(Object.entries(accessRoutes))('%s wants a credential: 401', async (_name, { method, path }) => {
  const answer = await system.http.send(path.replace('{id}', '1'), { method: method.toUpperCase() });
  expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
});

describe('where an identity provider signs', () => {
  const header = { alg: 'RS256', kid: 'one' };

  test('its tokens are good, and keys as ever', async () => {
    const claims = { sub: String(ana.userId), exp: exp() };
    const { status, body } = await withJwks.as(signToken(claims, { header, signer: rs256 })).get('/api/v3/me');
    expect([status, body.user_id]).toEqual([200, ana.userId]);
    expect((await withJwks.as(key).get('/api/list')).status).toBe(200);
  });

  const stranger = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  const bad: Readonly<Record<string, () => string>> = {
    'HS256 with the public key': () =>
      signToken(good(), { header: { alg: 'HS256', kid: 'one' }, signer: hs256(publicPem.toString()) }),
    'HS256 with the secret of another configuration': () => signToken(good(), { signer: hs256(jwtSecret) }),
    'alg none': () => signToken(good(), { header: { alg: 'none', kid: 'one' }, signer: unsigned }),
    'signed with another key': () => {
      return signToken(good(), { header, signer: (text) => sign('RSA-SHA256', Buffer.from(text), stranger) });
    },
    'with an unknown kid': () => signToken(good(), { header: { alg: 'RS256', kid: 'two' }, signer: rs256 }),
    'PS256 by its header': () => signToken(good(), { header: { alg: 'PS256', kid: 'one' }, signer: rs256 }),
    'without an end': () => signToken({ sub: '1' }, { header, signer: rs256 }),
  };
  test.each(Object.entries(bad))('a token %s is 401', async (_name, makeToken) => {
    await expectNoEntry(withJwks, '/api/v3/me', bearer(makeToken()));
  });

  test('where a token says that its key lies no one looks', async () => {
    const signer: Signer = (text) => sign('RSA-SHA256', Buffer.from(text), stranger);
    for (const name of ['jku', 'x5u']) {
      const token = signToken(good(), { header: { ...header, kid: 'three', [name]: `${strangerUrl}/jwks` }, signer });
      await expectNoEntry(withJwks, '/api/v3/me', bearer(token));
    }
    expect(strangerAsked).toBe(0);
  });
});

test('a refusal says nothing of why a credential is bad', async () => {
  const tokens = [forged['that ended'], forged['signed with another secret'], forged['of the user "0"']];
  const answers = await Promise.all(tokens.map((make) => system.http.as(make?.() ?? '').get('/api/list')));
  expect(answers[0]).toMatchObject(refusal(401, 'UNAUTHENTICATED', answers[0]?.body.message));
  for (const { body } of answers) expect(body.detail).not.toMatch(/signature|secret|jose|JWS|JWT[A-Z]/);
});
