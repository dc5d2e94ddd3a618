import { randomBytes } from 'node:crypto';
import { keys, memoryIngest, memoryQuery } from '@mneme/contracts';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { beforeEach, describe, expect, it } from 'vitest';
import { type GatewayFixture, startGatewayFixture, useGateway } from '../testing/gateway-fixture.ts';
import type { HttpRequest } from '../testing/http-request.ts';
import { erasedReply } from '../testing/memory-replies.ts';
import { jwtSecret, userToken } from '../testing/tokens.ts';
import { digest } from './idempotency.ts';
import { openAnswer } from './sealed-answer.ts';

const secret = randomBytes(32);
const settings = { JWT_SECRET: jwtSecret, SECRETS_KEY: secret.toString('hex') };
const issued = {
  id: 3,
  name: 'CI',
  key_prefix: 'sk-0123',
  scopes: ['*'],
  rate_limit: 1_000,
  expires_at: null,
  agent_id: null,
  created_at: '2026-01-01T00:00:00.000Z',
  message: 'Store it now',
  key: `sk-${'0123456789abcdef'.repeat(2)}`,
};

const fixture = useGateway(settings);
beforeEach(() => {
  fixture.services.answer(keys.createKey, () => ({ value: issued, position: 'ACCESS:9' }));
});

const path = '/api/v3/api-keys';

async function createKey(idempotencyKey: string, http: HttpRequest = fixture.http) {
  const headers = { authorization: `Bearer ${userToken(7)}`, 'idempotency-key': idempotencyKey };
  return http('POST', path, { body: { name: 'CI', project_id: 4 }, headers });
}

describe('the answer with an API key', () => {
  it('cannot be opened by someone who reads the stores and guesses the idempotency key', async () => {
    const idempotencyKey = 'order-1';
    expect((await createKey(idempotencyKey)).body.key).toBe(issued.key);
    const salt = digest(['user:7', 'POST', path, idempotencyKey]);
    const connection = await connect({ servers: fixture.stack.natsUrl });
    const entry = await (await new Kvm(connection).open('idempotency-answers')).get(`none.${salt}`);
    await connection.close();
    const kept = entry?.value ?? new Uint8Array();
    expect(kept.length).toBeGreaterThan(100);
    const noSecrets = [new Uint8Array(), new Uint8Array(32), Buffer.from(idempotencyKey), Buffer.from(salt, 'hex')];
    for (const guess of noSecrets) expect(openAnswer(kept, { secret: guess, idempotencyKey, salt })).toBeUndefined();
    expect(openAnswer(kept, { secret, idempotencyKey: 'order-2', salt })).toBeUndefined();
    expect(openAnswer(kept, { secret, idempotencyKey, salt })?.body).toContain(issued.key);
  });

  it('has no record by which its request could be guessed', async () => {
    await createKey('order-3');
    const connection = await connect({ servers: fixture.stack.natsUrl });
    const entry = await (await new Kvm(connection).open('idempotency')).get(
      digest(['user:7', 'POST', path, 'order-3']),
    );
    await connection.close();
    expect(entry?.string()).toContain('bodyHash');
    expect(entry?.string()).not.toContain(digest([JSON.stringify({ name: 'CI', project_id: 4 })]));
  });

  it('is repeated by a gateway with the same secret, and carried out again by one with another', async () => {
    const first = await createKey('shared');
    const same = await fixture.startAnother(settings);
    const again = await createKey('shared', same.http);
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
    for (const other of [{ SECRETS_KEY: randomBytes(32).toString('hex') }, { SECRETS_KEY: '' }]) {
      const { http } = await fixture.startAnother({ ...settings, ...other });
      const carriedOut = await createKey('shared', http);
      expect([carriedOut.status, carriedOut.headers['idempotency-replayed']]).toEqual([201, undefined]);
    }
    const commands = fixture.asked(keys.createKey);
    expect(new Set(commands.map((command) => (command as { commandId: string }).commandId)).size).toBe(1);
  });

  it('is repeated by a gateway without a secret as long as that runs, which logs a warning', async () => {
    const { http } = await fixture.startAnother({ ...settings, SECRETS_KEY: '' });
    expect((await createKey('alone', http)).status).toBe(201);
    expect((await createKey('alone', http)).headers['idempotency-replayed']).toBe('true');
    expect(fixture.log.some(({ level, msg }) => level === 'warn' && /SECRETS_KEY/.test(msg))).toBe(true);
  });
});

describe('when the bucket is full', () => {
  let small: GatewayFixture;
  beforeEach(async () => {
    small = await startGatewayFixture({ ...settings, IDEMPOTENCY_MAX_BYTES: '65536' });
    small.services.answer(keys.createKey, () => ({ value: issued, position: 'ACCESS:9' }));
    return small.stop;
  });
  const search = (headers: Record<string, string>) =>
    small.http('POST', '/api/search', { body: { query: 'x', agent_id: 'ana' }, headers });

  it('with the requests of one caller, that one gets 503, others continue', async () => {
    let refused = await search({ 'idempotency-key': 'first' });
    for (let index = 0; refused.status === 200 && index < 1_000; index += 1) {
      refused = await search({ 'idempotency-key': `key-${index}` });
    }
    expect([refused.status, refused.body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await search({})).status).toBe(200);
    expect((await search({ 'idempotency-key': 'first' })).headers['idempotency-replayed']).toBe('true');
    expect((await createKey('one', small.http)).status).toBe(201);
    expect((await createKey('one', small.http)).headers['idempotency-replayed']).toBe('true');
  });

  it('requests with a key are 503, others continue, and an erasure makes room', async () => {
    small.services.answer(memoryQuery.awaitErasure, () => ({ isDone: true }));
    small.services.answer(memoryIngest.eraseAgent, () => erasedReply);
    const connection = await connect({ servers: small.stack.natsUrl });
    const bucket = await new Kvm(connection).open('idempotency');
    const fill = async (count: number): Promise<void> => {
      await bucket.put(`filler-${count}`, 'x'.repeat(200));
      return fill(count + 1);
    };
    await expect(fill(0)).rejects.toThrow(/maximum bytes exceeded/);
    await connection.close();
    const refused = await search({ 'idempotency-key': 'first' });
    expect([refused.status, refused.body.code]).toEqual([503, 'UNAVAILABLE']);
    expect((await search({})).status).toBe(200);
    for (let index = 0; index < 20; index += 1) {
      expect((await small.http('DELETE', `/api/agents/ana-${index}`)).status).toBe(200);
    }
    expect(small.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
