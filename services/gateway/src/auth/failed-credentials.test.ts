import { memoryQuery } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';

const limit = 20;

const fixture = useGateway({ AUTH_FAILURE_LIMIT: String(limit), TRUSTED_PROXIES: 'loopback' });
const { http } = fixture;

const list = (address: string, headers: Record<string, string>) =>
  http('GET', '/api/agents', { headers: { 'x-forwarded-for': address, ...headers } });
const wrongKey = (index: number) => ({ 'x-api-key': `sk-${String(index).padStart(32, '0')}` });

async function failOften(address: string) {
  const replies = await Promise.all(Array.from({ length: limit }, (_, index) => list(address, wrongKey(index))));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
}

it('an address whose credentials fail too often gets 429 for every invalid credential', async () => {
  await failOften('192.0.2.1');
  for (const headers of [wrongKey(0), { 'x-api-key': 'sk-x' }, { authorization: 'Bearer a.b.c' }]) {
    const { status, headers: sent, body } = await list('192.0.2.1', headers);
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(sent['retry-after'])).toBeGreaterThan(0);
    expect(Number(sent['retry-after'])).toBeLessThanOrEqual(61);
  }
  expect(fixture.services.requestsTo(memoryQuery.listAgents)).toEqual([]);
});

it('admits a valid key from such an address, also a key that it has never seen', async () => {
  await failOften('192.0.2.5');
  expect((await list('192.0.2.5', wrongKey(0))).status).toBe(429);
  const key = await fixture.records.issueKey();
  expect((await list('192.0.2.5', { 'x-api-key': key })).status).toBe(200);
});

it('does not slow down other addresses, nor callers without a credential', async () => {
  await failOften('192.0.2.2');
  expect((await list('192.0.2.2', {})).status).toBe(200);
  expect((await list('192.0.2.3', { 'x-api-key': await fixture.records.issueKey() })).status).toBe(200);
});

it('admits a key that was valid recently, until it is revoked', async () => {
  const key = await fixture.records.issueKey();
  expect((await list('192.0.2.4', { 'x-api-key': key })).status).toBe(200);
  await failOften('192.0.2.4');
  expect((await list('192.0.2.4', { 'x-api-key': key })).status).toBe(200);
  await fixture.records.changeKey(key, { state: 'revoked' });
  expect((await list('192.0.2.4', { 'x-api-key': key })).status).toBe(401);
  expect((await list('192.0.2.4', { 'x-api-key': key })).status).toBe(429);
});

it.each(['192.0.2.6:%', '[2001:db8::6]:%', 'host-%'])(
  'counts callers that a proxy names %s together',
  async (forwarded) => {
    const replies = [];
    for (let index = 0; index <= limit; index += 1) {
      replies.push((await list(forwarded.replace('%', String(4_711 + index)), wrongKey(index))).status);
    }
    expect(replies).toEqual([...Array(limit).fill(401), 429]);
  },
);

it('ignores forwarded addresses from proxies that are not trusted', async () => {
  const alone = await fixture.startAnother({ AUTH_FAILURE_LIMIT: String(limit) });
  const replies = [];
  for (let index = 0; index <= limit; index += 1) {
    const headers = { 'x-forwarded-for': `192.0.2.${100 + index}`, ...wrongKey(index) };
    replies.push((await alone.http('GET', '/api/agents', { headers })).status);
  }
  expect(replies).toEqual([...Array(limit).fill(401), 429]);
});
