import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { createKey, newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { inSeconds, type Signer, signToken, tokenOf } from '../system/tokens.ts';

/** The gateway's own tests have many more credentials, good and bad. */
let system: SharedSystem;
let required: HttpClient;
let ana: Person;
let key: string;
beforeAll(async () => {
  system = await shareSystem();
  required = (await system.addGateway({ MEMORY_AUTH: 'required' })).http;
  ana = await newPerson(system.http);
  key = (await createKey(ana)).key;
  return system.release;
});

async function expectNoEntry(http: HttpClient, path: string, credential: string): Promise<void> {
  const answer = await http.as(credential).get(path);
  expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
}

test('a token that ended and a key that no one has are 401 at every door, never anonymous', async () => {
  for (const http of [system.http, required]) {
    for (const credential of [signToken({ sub: '1', exp: inSeconds(-60) }), `sk-${'0'.repeat(32)}`]) {
      for (const path of ['/api/list', '/api/v3/me']) await expectNoEntry(http, path, credential);
    }
  }
});

test('where a credential is required, keys and users get in, and what is for everybody stays open', async () => {
  expect((await required.get('/api/list')).status).toBe(401);
  for (const credential of [key, tokenOf(ana.userId)]) {
    expect((await required.as(credential).get('/api/list')).status).toBe(200);
  }
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']) {
    expect((await required.get(path)).status).toBe(200);
  }
});

test('where an identity provider signs, its tokens are good, those of the secret are not, and keys are as ever', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const signer: Signer = (signed) => sign('RSA-SHA256', Buffer.from(signed), privateKey);
  const header = { alg: 'RS256', kid: 'one' };
  const jwk = { ...publicKey.export({ format: 'jwk' }), ...header, use: 'sig' };
  const provider = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const JWT_JWKS_URL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/jwks`;
  const { http } = await system.addGateway({ JWT_SECRET: '', JWT_JWKS_URL });
  const signed = signToken({ sub: String(ana.userId), exp: inSeconds(600) }, { header, signer });
  const { status, body } = await http.as(signed).get('/api/v3/me');
  expect([status, body.user_id]).toEqual([200, ana.userId]);
  await expectNoEntry(http, '/api/v3/me', tokenOf(ana.userId));
  expect((await http.as(key).get('/api/list')).status).toBe(200);
  provider.close();
});
