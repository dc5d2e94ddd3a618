import { gateway, keys } from '@mneme/contracts';
import { createClient } from '@mneme/service-kit';
import { Kvm } from '@nats-io/kv';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bucketDeps } from '../testing/bucket-deps.ts';
import { useGateway } from '../testing/gateway-fixture.ts';
import type { HttpRequest, Reply } from '../testing/http-request.ts';
import { inSeconds, jwtSecret, userToken } from '../testing/tokens.ts';
import { openSessionStore } from './session-store.ts';

let other: HttpRequest;

const settings = { JWT_SECRET: jwtSecret, AUTH_FAILURE_LIMIT: '100000', ALLOWED_HOSTS: 'mneme.localhost' };
const fixture = useGateway(settings);
const { http } = fixture;

beforeAll(async () => {
  ({ http: other } = await fixture.startAnother({ ...settings, MEMORY_AUTH: 'required' }));
});
beforeEach(() => fixture.services.answer(keys.listSpaces, () => []));

/** Both gateways are one for a browser that a load balancer sends to either. */
const host = 'mneme.localhost:8080';
const fromConsole = { host, 'mneme-console': '1', 'sec-fetch-site': 'same-origin' };
const session = '/api/v3/session';

const signIn = (body: object, headers: object = {}, via = http) =>
  via('POST', session, { body, headers: { ...fromConsole, ...headers } });

function cookieOf({ headers }: Reply): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

async function cookieFor(credential: string): Promise<string> {
  const answer = await signIn({ credential });
  expect(answer.status, answer.text).toBe(200);
  return cookieOf(answer);
}

const spaces = (cookie: string, headers: object = {}, via = http) =>
  via('GET', '/api/v3/spaces', { headers: { ...fromConsole, cookie, ...headers } });

describe('a session', () => {
  it('stands for the user whose token was sent, at every gateway, until it is signed out at one', async () => {
    const answer = await signIn({ credential: ` ${userToken(7)}\n` });
    expect(answer.body).toMatchObject({ signed_in_as: 'user', user_id: 7, key: null, memory_is_open: true });
    const cookie = cookieOf(answer);
    for (const via of [http, other]) expect((await spaces(cookie, {}, via)).status).toBe(200);
    expect(fixture.asked(keys.listSpaces).at(-1)).toEqual({ userId: 7 });
    const signedOut = await other('DELETE', session, { headers: { ...fromConsole, cookie } });
    expect(signedOut.body).toEqual({ signed_out: true });
    expect(signedOut.headers['set-cookie']?.[0]).toMatch(/=; .*Expires=Thu, 01 Jan 1970/);
    for (const via of [http, other]) expect((await spaces(cookie, {}, via)).body.code).toBe('SESSION_EXPIRED');
  });

  it('of a key may do what the key may, and ends with it', async () => {
    const key = await fixture.records.issueKey({ scopes: ['memory:read'], agentId: 'alice' });
    const cookie = await cookieFor(key);
    const { body } = await http('GET', session, { headers: { ...fromConsole, cookie } });
    expect(body).toMatchObject({
      signed_in_as: 'key',
      user_id: null,
      key: { scopes: ['memory:read'], agent_id: 'alice' },
    });
    expect((await spaces(cookie)).status).toBe(403);
    const stored = { agent_id: 'bob', items: [{ content: 'x' }] };
    const write = await http('POST', '/api/memories/batch', { body: stored, headers: { ...fromConsole, cookie } });
    expect([write.status, write.body.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('ends with its token', async () => {
    const answer = await signIn({ credential: userToken(7, { exp: inSeconds(3) }) });
    expect(Date.parse(answer.body.expires_at)).toBeLessThan(Date.now() + 4_000);
    const { status, body } = await other('GET', session, { headers: fromConsole });
    expect([status, body.signed_in_as, body.memory_is_open]).toEqual([200, null, false]);
  });

  it('ends together with its cookie, after which the browser acts for no one', async () => {
    const answer = await signIn({ credential: userToken(7) });
    const expires = /Expires=([^;]+)/.exec(answer.headers['set-cookie']?.[0] ?? '')?.[1] ?? '';
    expect(Date.parse(expires)).toBe(Math.floor(Date.parse(answer.body.expires_at) / 1_000) * 1_000);
  });

  it('that has ended is refused, also if the browser still sends its cookie', async () => {
    const store = await openSessionStore({ ...bucketDeps(fixture.connection), clock: Date.now });
    const grant = { credential: userToken(7) };
    const ended = await store.create({ userId: 7 }, { grant, expiresAt: Date.now() - 1 });
    expect((await spaces(`mneme-session-8080=${ended}`)).body.code).toBe('SESSION_EXPIRED');
  });

  it('is not looked at when a credential comes beside it', async () => {
    const headers = { authorization: `Bearer ${userToken(8)}` };
    for (const cookie of [await cookieFor(userToken(7)), 'mneme-session-8080=ended']) {
      const answer = await http('GET', session, { headers: { ...fromConsole, ...headers, cookie } });
      expect(answer.body).toMatchObject({ signed_in_as: 'user', user_id: 8, expires_at: null });
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
  });

  it('of another caller than the page expects is refused, and told to the caller who asks', async () => {
    const asked = (expected: string, cookie = '') =>
      http('GET', '/api/v3/spaces', { headers: { ...fromConsole, 'mneme-console': expected, cookie } });
    const ofUser = await cookieFor(userToken(7));
    const key = await fixture.records.issueKey();
    const ofKey = await cookieFor(key);
    const keyId = (await http('GET', session, { headers: { ...fromConsole, cookie: ofKey } })).body.key.id;
    for (const [expected, cookie, code] of [
      ['user:7', ofUser, undefined],
      ['1', ofUser, undefined],
      [`key:${keyId}`, ofKey, 'FORBIDDEN'],
      ['public', '', 'UNAUTHENTICATED'],
    ] as const) {
      expect((await asked(expected, cookie)).body.code).toBe(code);
    }
    for (const [expected, cookie] of [
      ['user:8', ofUser],
      ['public', ofUser],
      [`key:${keyId}`, ofUser],
      ['user:7', ofKey],
      ['user:7', ''],
    ] as const) {
      expect((await asked(expected, cookie)).body.code).toBe('SESSION_EXPIRED');
    }
    const told = await http('GET', session, { headers: { ...fromConsole, 'mneme-console': 'user:8', cookie: ofUser } });
    expect([told.body.user_id, told.headers['set-cookie']]).toEqual([7, undefined]);
  });

  it('that no one knows is refused and not taken for none, and removed from the browser by reading it', async () => {
    for (const id of ['x', 'A'.repeat(43), `user.7.${'A'.repeat(43)}`, `user.*.${'A'.repeat(43)}`, '*', '../../x']) {
      const cookie = `mneme-session-8080=${id}`;
      const { status, headers, body } = await http('GET', '/api/agents', { headers: { ...fromConsole, cookie } });
      expect([status, body.code]).toEqual([401, 'SESSION_EXPIRED']);
      expect(headers['www-authenticate']).toBe('Bearer realm="mneme"');
      const read = await http('GET', session, { headers: { ...fromConsole, cookie } });
      expect(read.body.signed_in_as).toBeNull();
      expect(read.headers['set-cookie']?.[0]).toContain('1970');
    }
  });

  it('counts for less than a credential that is sent, and for nothing outside of /api/', async () => {
    const cookie = await cookieFor(userToken(7));
    await spaces(cookie, { authorization: `Bearer ${userToken(8)}` });
    expect(fixture.asked(keys.listSpaces).at(-1)).toEqual({ userId: 8 });
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await other('POST', '/mcp/alice', { body, headers: { ...fromConsole, cookie } })).status).toBe(401);
  });

  it('replaces the one that the browser had', async () => {
    const first = await cookieFor(userToken(7));
    const second = cookieOf(await signIn({ credential: userToken(8) }, { cookie: first }));
    expect((await spaces(first)).body.code).toBe('SESSION_EXPIRED');
    expect((await spaces(second)).status).toBe(200);
  });

  it.each([
    ['no credential', {}, 422],
    ['two of them', { code: 'x', credential: 'y' }, 422],
    ['an empty one', { credential: ' ' }, 422],
    ['an unknown key', { credential: `sk-${'0'.repeat(32)}` }, 401],
    ['a forged token', { credential: userToken(7).slice(0, -2) }, 401],
    ['no token at all', { credential: 'hello' }, 401],
    ['a number', { credential: 7 }, 422],
    ['a list', { code: ['x'] }, 422],
    ['an unknown code', { code: 'A'.repeat(43) }, 401],
    ['a code that is none', { code: '>' }, 401],
  ])('is not opened by %s', async (_name, body, status) => {
    const answer = await signIn(body);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([status, undefined]);
  });
});

describe('too many sessions', () => {
  const openStore = (maxBytes?: number) =>
    openSessionStore({ ...bucketDeps(fixture.connection), ...(maxBytes && { maxBytes }), clock: Date.now });
  const aSession = { grant: { userId: 7 }, expiresAt: Date.now() + 60_000 };

  it('of a key and its user leave room for both', async () => {
    const store = await openStore(110_000);
    await inTurn(400, () => store.create({ userId: 75, keyId: 1 }, aSession));
    const ids = await inTurn(400, () => store.create({ userId: 75 }, aSession));
    expect(await store.find(ids.at(-1) ?? '')).toEqual(aSession);
    // The bucket has its usual size again.
    await openStore();
  });

  it('of one holder end its oldest ones, whatever others have', async () => {
    const store = await openStore();
    const open = (count: number, keyId?: number) =>
      inTurn(count, () => store.create({ userId: 70, ...(keyId !== undefined && { keyId }) }, aSession));
    const ofOthers = [...(await open(1)), ...(await open(1, 2)), await store.create({ userId: 71 }, aSession)];
    for (const keyId of [1, undefined]) {
      const ids = await open(102, keyId);
      const found = await Promise.all(ids.map((id) => store.find(id)));
      expect(found.findIndex((session) => session !== undefined)).toBe(2);
      expect(found.slice(2)).not.toContain(undefined);
      if (keyId === 1) for (const id of ofOthers) expect(await store.find(id)).toEqual(aSession);
    }
  });

  it('of all keys of a user end the oldest ones', async () => {
    const store = await openStore();
    const ofUser = await store.create({ userId: 72 }, aSession);
    const [first = '', second = ''] = await inTurn(2, () => store.create({ userId: 72, keyId: 99 }, aSession));
    for (let keyId = 1; keyId <= 9; keyId += 1) await inTurn(100, () => store.create({ userId: 72, keyId }, aSession));
    await inTurn(99, () => store.create({ userId: 72, keyId: 10 }, aSession));
    const found = await Promise.all([first, second, ofUser].map((id) => store.find(id)));
    expect(found).toEqual([undefined, aSession, aSession]);
  });

  it('do not come about by signing out and in again', async () => {
    const cookie = await cookieFor(userToken(73));
    const store = await openStore();
    const openAndEnd = async () => store.end(await store.create({ userId: 73 }, aSession));
    await inTurn(2, () => Promise.all(Array.from({ length: 60 }, openAndEnd)));
    expect((await spaces(cookie)).status).toBe(200);
  });

  it('of all together are refused', async () => {
    const store = await openStore(10_000);
    const fill = inTurn(100, () => store.create({ userId: 74 }, aSession));
    await expect(fill).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    // The bucket has its usual size again.
    await openStore();
  });
});

/** Runs `act` several times, one after the other. */
async function inTurn<Result>(times: number, act: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < times) results.push(await act());
  return results;
}

it('a sign-in that is larger than any credential is not read', async () => {
  expect((await signIn({ credential: 'x'.repeat(64 * 1_024) })).status).toBe(413);
  expect((await signIn({ credential: 'x'.repeat(4_096) })).status).not.toBe(413);
});

describe('signing in with a key', () => {
  it('counts as a request of the key', async () => {
    const key = await fixture.records.issueKey({ rateLimit: 2, scopes: [] });
    const answers = [await signIn({ credential: key }), await signIn({ credential: key }, {}, other)];
    expect(answers.map(({ status, headers }) => [status, headers.ratelimit?.slice(0, 10)])).toEqual([
      [200, '"key";r=1;'],
      [200, '"key";r=0;'],
    ]);
    const refused = await signIn({ credential: key });
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers).toMatchObject({ 'ratelimit-policy': '"key";q=2;w=60' });
    expect(refused.headers).not.toHaveProperty('set-cookie');
    expect(await fixture.records.usageOf(key)).toMatchObject({ requests: 2 });
  });
});

describe('a sign-in code', () => {
  const newCode = async () => {
    const client = createClient({ connection: fixture.connection });
    const options = { correlationId: 'test', timeoutMs: 10_000 };
    const { code } = await client.request(gateway.createSignInCode, { credential: userToken(7) }, options);
    client.close();
    return code;
  };

  it('signs in once, of ten that send it at once at two gateways', async () => {
    const code = await newCode();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => signIn({ code }, {}, index % 2 === 0 ? http : other)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 401)]);
    expect((await signIn({ code })).body.detail).toContain('npm run mneme -- sign-in');
  });

  it('is not kept in clear, and neither is a session', async () => {
    const code = await newCode();
    const id = (await cookieFor(userToken(7))).split('=')[1] ?? '';
    const stored = await contentsOf('sign-in-codes', 'browser-sessions');
    expect(stored.length).toBeGreaterThan(200);
    for (const secret of [code, id, userToken(7).slice(0, 20)]) expect(stored).not.toContain(secret);
  });
});

/** All keys and values of buckets, as text. */
async function contentsOf(...names: readonly string[]): Promise<string> {
  let text = '';
  for (const name of names) {
    const bucket = await new Kvm(fixture.connection).open(name);
    for await (const key of await bucket.keys()) text += `${key} ${(await bucket.get(key))?.string()}\n`;
  }
  return text;
}

describe('a request with the cookie', () => {
  const attempts = (headers: Record<string, string>, cookie: string) => {
    const { 'mneme-console': _header, 'sec-fetch-site': _site, ...bare } = fromConsole;
    const all = { ...bare, cookie, ...headers };
    return Promise.all([
      http('GET', '/api/v3/spaces', { headers: all }),
      http('POST', '/api/v3/spaces', { headers: all, body: { name: 'x', type: 'team' } }),
    ]).then((answers) => answers.map(({ status }) => status));
  };

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site', 'mneme-console': '1' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site', 'mneme-console': '1' }],
    ['no known page', {}],
    ['another origin, from a browser that says no more', { origin: 'https://evil.example', 'mneme-console': '1' }],
    ['a sandboxed page', { origin: 'null', 'mneme-console': '1' }],
    ['another port, from a browser that says no more', { origin: 'http://mneme.localhost:81', 'mneme-console': '1' }],
  ])('from %s is refused', async (_name, headers) => {
    expect(await attempts(headers, await cookieFor(userToken(7)))).toEqual([403, 403]);
    expect(fixture.services.requestsTo(keys.listSpaces)).toEqual([]);
  });

  it.each([
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['a form of an own page', { 'sec-fetch-site': 'same-origin' }],
  ])('from %s may read and not write', async (_name, headers) => {
    expect(await attempts(headers, await cookieFor(userToken(7)))).toEqual([200, 403]);
  });

  it('from the console over plain http in a network is accepted', async () => {
    const headers = { origin: `http://${host}`, 'mneme-console': '1' };
    expect((await attempts(headers, await cookieFor(userToken(7))))[0]).toBe(200);
  });

  it('is needed from the console to sign in and out, too', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site' };
    expect((await signIn({ credential: userToken(7) }, foreign)).status).toBe(403);
    const cookie = await cookieFor(userToken(7));
    expect((await http('DELETE', session, { headers: { ...fromConsole, ...foreign, cookie } })).status).toBe(403);
    expect((await spaces(cookie)).status).toBe(200);
  });
});

describe('the cookie', () => {
  it('is for this host alone, and kept from scripts and other sites', async () => {
    const [cookie] = (await signIn({ credential: userToken(7) })).headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^mneme-session-8080=user\.7\.[\w-]{43}; Path=\/; Expires=.+; HttpOnly; SameSite=Strict$/);
  });

  it('is sent over https only, where that is how callers come', async () => {
    for (const env of [{ PUBLIC_BASE_URL: 'https://mneme.example' }, { TRUSTED_PROXIES: 'loopback' }]) {
      const { http: behindProxy } = await fixture.startAnother({ ...settings, ...env });
      const headers = { 'x-forwarded-proto': 'https', origin: 'https://mneme.example' };
      const answer = await signIn({ credential: userToken(7) }, headers, behindProxy);
      expect(answer.headers['set-cookie']?.[0]).toMatch(
        /^__Host-mneme-session=.+; Path=\/; .*HttpOnly; Secure; SameSite=Strict$/,
      );
      expect((await spaces(cookieOf(answer), headers, behindProxy)).status).toBe(200);
    }
  });
});
