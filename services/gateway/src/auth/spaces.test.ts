import { keys, memoryQuery, memorySubjects } from '@mneme/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import { jwtSecret, userToken } from '../testing/tokens.ts';

const fixture = useGateway({ JWT_SECRET: jwtSecret });
const { http } = fixture;

beforeAll(async () => {
  await fixture.records.putOwner(1, { personalSpaceId: 11, spaceIds: [11, 12] });
  await fixture.records.putOwner(2, { personalSpaceId: 21, spaceIds: [21] });
});

const user = (id: number, headers: Record<string, string> = {}) => ({
  authorization: `Bearer ${userToken(id)}`,
  ...headers,
});
const list = (headers: Record<string, string>) => http('GET', '/api/agents', { headers });
const spaces = () => fixture.asked(memoryQuery.listAgents).map((request) => (request as { space: string }).space);

describe('a user', () => {
  it('works in the personal space, and in another one by name', async () => {
    await list(user(1));
    await list(user(1, { 'x-space-id': '12' }));
    await list(user(1, { 'x-space-id': '11' }));
    expect(spaces()).toEqual(['11', '12', '11']);
  });

  const foreign = ['21', '99', '0', '-1', '1e1', '0xb', '011', '11.0', 'public', '11, 12', '', '1'.repeat(16)];
  it.each([...foreign, '{"$gt":0}', '*'])('may not work in the space %j', async (id) => {
    const { status, body } = await list(user(1, { 'x-space-id': id }));
    expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.message).toBe('X-Space-Id has to name one of your spaces');
    expect(spaces()).toEqual([]);
  });

  it('who is new is created first', async () => {
    fixture.services.answer(keys.ensureUser, () => ({
      value: { personalSpaceId: 31, spaceIds: [31], sequence: 9 },
      position: 'ACCESS:9',
    }));
    expect((await list(user(3))).status).toBe(200);
    expect((await list(user(3, { 'x-space-id': '21' }))).status).toBe(403);
    expect(spaces()).toEqual(['31']);
    expect(fixture.asked(keys.ensureUser)).toEqual(Array(2).fill({ userId: 3 }));
  });

  it('who is new gets 503 while the keys service is away', async () => {
    await fixture.services.stop('keys');
    const [unknown, known] = [await list(user(4)), await list(user(1))];
    await fixture.services.start('keys');
    expect([unknown.status, unknown.body.code, known.status]).toEqual([503, 'UNAVAILABLE', 200]);
  });
});

describe('a key', () => {
  it('may name its own space, and no other', async () => {
    const key = await fixture.records.issueKey({ spaceId: 12 });
    expect((await list({ 'x-api-key': key, 'x-space-id': '12' })).status).toBe(200);
    for (const id of ['11', '012', '', 'public']) {
      const { status, body } = await list({ 'x-api-key': key, 'x-space-id': id });
      expect([status, body.message]).toEqual([403, 'The key works in another space']);
    }
    expect(spaces()).toEqual(['12']);
  });
});

describe('what is written', () => {
  const batch = { agent_id: 'ana', items: [{ content: 'Ana moved to Lisbon.' }] };
  const put = (headers: Record<string, string>) =>
    http('POST', '/api/memories/batch_async', { body: batch, headers: { 'idempotency-key': 'one', ...headers } });

  it('has the space and the actor, and callers share no idempotency keys', async () => {
    const [first, second] = [
      await fixture.records.issueKey({ keyId: 501, spaceId: 12 }),
      await fixture.records.issueKey({ keyId: 502, spaceId: 12 }),
    ];
    const callers: [Record<string, string>, string, string | undefined][] = [
      [{}, 'public', undefined],
      [user(1), '11', 'user:1'],
      [user(1, { 'x-space-id': '12' }), '12', 'user:1'],
      [user(2), '21', 'user:2'],
      [{ 'x-api-key': first }, '12', 'key:501'],
      [{ 'x-api-key': second }, '12', 'key:502'],
    ];
    const ids = new Set<string>();
    for (const [headers, space, actor] of callers) {
      const { status, body } = await put(headers);
      expect(status).toBe(200);
      ids.add(body.operation_id);
      const { events } = await fixture.store.load(memorySubjects.anyOperation(body.operation_id));
      expect(events).toMatchObject([{ data: { space, agentId: 'ana' }, actor }]);
      expect((await put(headers)).headers['idempotency-replayed']).toBe('true');
    }
    expect(ids.size).toBe(callers.length);
  });
});
