import { keys } from '@mneme/contracts';
import { type OidcProvider, startOidcProvider } from '@mneme/local-stack/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { openSessionStore } from '../sessions/session-store.ts';
import { bucketDeps } from '../testing/bucket-deps.ts';
import { type GatewayFixture, startGatewayFixture } from '../testing/gateway-fixture.ts';
import type { HttpRequest, Reply } from '../testing/http-request.ts';
import { inSeconds } from '../testing/tokens.ts';

let fixture: GatewayFixture;
let provider: OidcProvider;
let http: HttpRequest;
let other: HttpRequest;
const clientId = 'mneme-console';

beforeAll(async () => {
  provider = await startOidcProvider(clientId);
  const address = { PUBLIC_BASE_URL: 'http://127.0.0.1:9', SECRETS_KEY: 'ab'.repeat(32) };
  const env = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: clientId, ...address };
  fixture = await startGatewayFixture(env);
  http = fixture.http;
  ({ http: other } = await fixture.startAnother(env));
});
afterAll(async () => {
  await provider.stop();
  await fixture.stop();
});
beforeEach(() => {
  for (const name of Object.keys(provider.claims)) delete provider.claims[name];
  fixture.log.length = 0;
  fixture.services.reset();
  fixture.services.answer(keys.listSpaces, () => []);
});

/** Both gateways are one for a browser that a load balancer sends to either. */
const host = '127.0.0.1:9';
const start = '/api/v3/session/provider?to=%2Fagents%3Fq%3Da';
const failed = '/sign-in?failed=true';
const failedOnTheWay = `${failed}&to=%2Fagents%3Fq%3Da`;

/** Goes to the provider like a browser, and says what it comes back with. */
async function visitProvider(path = start): Promise<{ readonly back: URL; readonly cookie: string }> {
  const { status, headers } = await http('GET', path);
  expect(status).toBe(302);
  const answer = await fetch(headers.location ?? '', { redirect: 'manual' });
  return {
    back: new URL(answer.headers.get('location') ?? ''),
    cookie: cookieIn(headers['set-cookie'], 'mneme-sign-in'),
  };
}

const comeBack = (back: URL, cookie: string, via = http): Promise<Reply> =>
  via('GET', back.pathname + back.search, { headers: { host, cookie, 'sec-fetch-site': 'cross-site' } });

/** Signs in, like a browser that a load balancer sends to another gateway. @returns what requests of the console have then */
async function signIn() {
  const { back, cookie } = await visitProvider();
  const { status, headers } = await comeBack(back, cookie, other);
  expect([status, headers.location]).toEqual([302, '/agents?q=a']);
  const session = cookieIn(headers['set-cookie'], 'mneme-session');
  return { host, cookie: session, 'sec-fetch-site': 'same-origin', 'mneme-console': '1' };
}

function cookieIn(cookies: readonly string[] | undefined, name: string): string {
  return cookies?.find((cookie) => cookie.startsWith(name))?.split(';')[0] ?? '';
}

it('signs in the user whom the provider names, at another gateway too, and leads back', async () => {
  const fromConsole = await signIn();
  expect((await http('GET', '/api/v3/spaces', { headers: fromConsole })).status).toBe(200);
  expect(fixture.services.requestsTo(keys.listSpaces).at(-1)?.request).toEqual({ userId: 7 });
  const { body } = await http('GET', '/api/v3/session', { headers: fromConsole });
  expect(body).toMatchObject({ signed_in_as: 'user', user_id: 7, identity_provider: true });
  expect(Date.parse(body.expires_at)).toBeLessThanOrEqual(Date.now() + 12 * 3_600_000);
});

it.each([
  [{ roles: ['operator'] }, true],
  [{ role: 'reader operator' }, true],
  [{ roles: ['reader'] }, false],
])('makes an operator of a user by the role that the ID token has: %j', async (claims, isOperator) => {
  Object.assign(provider.claims, claims);
  const { body } = await http('GET', '/api/v3/session', { headers: await signIn() });
  expect(body).toMatchObject({ user_id: 7, is_operator: isOperator });
});

it.each(['none', 'admin'])('makes operators by the present role only, which may become %s', async (role) => {
  const { http: later } = await fixture.startAnother({ OPERATOR_ROLE: role });
  provider.claims.roles = ['operator', 'admin'];
  const { body } = await later('GET', '/api/v3/session', { headers: await signIn() });
  expect(body).toMatchObject({ user_id: 7, is_operator: false });
});

it('sessions of users that an earlier release has opened, without a role, go on', async () => {
  const store = await openSessionStore({ ...bucketDeps(fixture.connection), clock: Date.now });
  const grant = { userId: 7 };
  const id = await store.create({ userId: 7 }, { grant, expiresAt: Date.now() + 60_000 });
  expect((await store.find(id))?.grant).toEqual({ userId: 7 });
});

it('signs no one in twice with the same answer', async () => {
  const { back, cookie } = await visitProvider();
  await comeBack(back, cookie);
  expect((await comeBack(back, cookie)).headers.location).toBe(failedOnTheWay);
});

it('signs no one in who has not been sent there by this server', async () => {
  const mine = await visitProvider();
  const theirs = await visitProvider();
  for (const [back, cookie, location] of [
    [mine.back, '', failed],
    [theirs.back, mine.cookie, failedOnTheWay],
  ] as const) {
    const { headers } = await comeBack(back, cookie);
    expect(headers.location).toBe(location);
    expect(cookieIn(headers['set-cookie'], 'mneme-session')).toBe('');
  }
});

it('keeps nothing of an attempt, and refuses one that was changed or is too old', async () => {
  const stored = async () => (await jetstreamManager(fixture.connection)).streams.info('KV_sign-in-codes');
  const before = (await stored()).state.last_seq;
  const { back, cookie } = await visitProvider();
  expect((await stored()).state.last_seq).toBe(before);
  const changed = cookie.slice(0, -2) + (cookie.endsWith('AA') ? 'BB' : 'AA');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
  onTestFinished(() => void vi.useRealTimers());
  for (const each of [changed, cookie]) {
    expect((await comeBack(back, each)).headers.location).toBe(failed);
  }
});

it.each([
  ['of another client', { aud: 'other' }],
  ['of another issuer', { iss: 'https://evil.example' }],
  ['for another attempt', { nonce: 'x' }],
  ['that has expired', { exp: inSeconds(-600) }],
  ['of a user whose id is a name', { sub: 'carla' }],
  ['of a user whose id is no user id', { sub: '0' }],
])('refuses an ID token %s', async (_name, claims) => {
  Object.assign(provider.claims, claims);
  const { back, cookie } = await visitProvider();
  const { headers } = await comeBack(back, cookie);
  expect(headers.location).toBe(failedOnTheWay);
  expect(fixture.notes()).toMatchObject([{ level: 'warn', msg: 'Sign-in at the identity provider failed' }]);
});

it.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e/\\evil.example',
  'javascript:alert(1)',
])('does not lead to %s', async (to) => {
  const { back, cookie } = await visitProvider(`/api/v3/session/provider?to=${encodeURIComponent(to)}`);
  expect((await comeBack(back, cookie)).headers.location).toBe('/');
});

it('says when the provider is out of reach, and is not there without one', async () => {
  const gone = await startOidcProvider(clientId);
  await gone.stop();
  const { http: lonely } = await fixture.startAnother({ OIDC_ISSUER: gone.issuer, OIDC_CLIENT_ID: clientId });
  expect((await lonely('GET', start)).body).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
  const { http: without } = await fixture.startAnother({});
  expect((await without('GET', start)).status).toBe(404);
});
