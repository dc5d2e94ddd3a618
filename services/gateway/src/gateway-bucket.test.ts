import { gateway, keys, memoryIngest, memoryQuery } from '@mneme/contracts';
import { createClient } from '@mneme/service-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { beforeEach, describe, expect, it } from 'vitest';
import { useGateway } from './testing/gateway-fixture.ts';
import type { Reply } from './testing/http-request.ts';
import { erasedReply } from './testing/memory-replies.ts';
import { jwtSecret, userToken } from './testing/tokens.ts';

const fixture = useGateway({ JWT_SECRET: jwtSecret, OPERATORS: '7' });
const { asUser, http } = fixture;

const host = 'localhost:8080';
const fromConsole = { host, 'mneme-console': '1', 'sec-fetch-site': 'same-origin' };
let count = 0;
const newKey = () => {
  count += 1;
  return { 'idempotency-key': `key-${count}` };
};

beforeEach(() => {
  fixture.services.answer(memoryIngest.eraseAgent, () => erasedReply);
  fixture.services.answer(memoryQuery.awaitErasure, () => ({ isDone: true }));
  fixture.services.answer(keys.listSpaces, () => []);
});

async function deliver(): Promise<Reply> {
  const webhook = await fixture.webhooks.issue({ deduplicate: true });
  return http('POST', webhook.path, { raw: '{}', headers: { 'webhook-id': 'd1' } });
}

const search = () => http('POST', '/api/search', { body: { agent_id: 'ana', query: 'x' }, headers: newKey() });
const signIn = (body: object) => http('POST', '/api/v3/session', { body, headers: fromConsole });

async function signInByCode(): Promise<Reply> {
  const client = createClient({ connection: fixture.connection });
  const options = { correlationId: 'test', timeoutMs: 10_000 };
  const { code } = await client.request(gateway.createSignInCode, { credential: userToken(7) }, options);
  client.close();
  return signIn({ code });
}

const isThere = async (bucket: string) => {
  const { streams } = await jetstreamManager(fixture.connection);
  return (await streams.info(`KV_${bucket}`).catch(() => undefined)) !== undefined;
};
const lose = async (bucket: string) => {
  await (await jetstreamManager(fixture.connection)).streams.delete(`KV_${bucket}`);
};

describe('a bucket that was lost is made again by', () => {
  it.each<[string, string, () => Promise<Reply>]>([
    ['a delivery with an id', 'deliveries', deliver],
    ['a request with an Idempotency-Key', 'idempotency', search],
    ['the answer to one', 'idempotency-answers', search],
    ['the erasure of an agent, for its mark,', 'idempotency', () => http('DELETE', '/api/agents/ana')],
    ['the erasure of an agent, for answers,', 'idempotency-answers', () => http('DELETE', '/api/agents/ana')],
    ['the list of tasks', 'operator-tasks', () => asUser('GET', '/api/v3/system/tasks')],
    ['a sign-in', 'browser-sessions', () => signIn({ credential: userToken(7) })],
    ['a sign-in by code', 'sign-in-codes', signInByCode],
    ['a code that is unknown now', 'sign-in-codes', () => signIn({ code: 'A'.repeat(43) })],
  ])('%s: %s', async (_name, bucket, use) => {
    const before = await use();
    await lose(bucket);
    fixture.log.length = 0;
    const uses = await Promise.all([use(), use()]);
    for (const { status, text } of uses) expect(status, text).toBe(before.status);
    expect(await isThere(bucket)).toBe(true);
    expect(fixture.notes()).toMatchObject([{ level: 'warn', bucket }]);
  });

  it('a request with a key that was regenerated: key-windows', async () => {
    const key = await fixture.records.issueKey();
    await lose('key-windows');
    expect((await http('GET', '/api/agents', { headers: { 'x-api-key': key } })).status).toBe(200);
    expect(await isThere('key-windows')).toBe(true);
  });
});

it('a session of a bucket that was lost has ended, and a new one can be opened', async () => {
  const cookie = (await signIn({ credential: userToken(7) })).headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  await lose('browser-sessions');
  const reply = await http('GET', '/api/v3/spaces', { headers: { ...fromConsole, cookie } });
  expect([reply.status, reply.body.code]).toEqual([401, 'SESSION_EXPIRED']);
});

it('where it cannot be made again, the answer names the bucket', async () => {
  const { streams } = await jetstreamManager(fixture.connection);
  await lose('deliveries');
  await streams.add({ name: 'IN_THE_WAY', subjects: ['$KV.deliveries.other'] });
  const { status, body } = await deliver();
  await streams.delete('IN_THE_WAY');
  expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  expect(body.detail).toBe('The bucket deliveries is out of reach, try again later');
  expect(fixture.notes()).toMatchObject([{ level: 'warn', reason: expect.stringContaining('overlap') }]);
  expect((await deliver()).status).toBe(200);
});
