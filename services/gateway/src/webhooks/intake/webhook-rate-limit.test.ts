import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useGateway } from '../../testing/gateway-fixture.ts';
import { type KnownWebhook, secretsKey } from '../../testing/webhook-records.ts';
import { createWebhookRateLimit } from './webhook-rate-limit.ts';

describe('the rate limit of a webhook', () => {
  function limitOf(perSecond: number) {
    const time = { ms: 1_000 };
    const limit = createWebhookRateLimit({ perSecond, clock: () => time.ms, message: 'Too many' });
    const admitted = (count: number, webhookId = 1) => {
      let taken = 0;
      for (let index = 0; index < count; index += 1) {
        try {
          limit.take(webhookId);
          taken += 1;
        } catch (error) {
          expect(error).toMatchObject({ status: 429, code: 'RATE_LIMITED', extra: { retry_after: 1 } });
        }
      }
      return taken;
    };
    return { time, admitted };
  }

  it('lets in a burst of two seconds, then as many as come back', () => {
    const { time, admitted } = limitOf(10);
    expect(admitted(100)).toBe(20);
    time.ms += 500;
    expect(admitted(100)).toBe(5);
    time.ms += 3_600_000;
    expect(admitted(100)).toBe(20);
  });

  it('lets a steady stream at the limit pass for ever', () => {
    const { time, admitted } = limitOf(10);
    for (let index = 0; index < 1_000; index += 1) {
      expect(admitted(1)).toBe(1);
      time.ms += 100;
    }
  });

  it('can be asked without counting', () => {
    const limit = createWebhookRateLimit({ perSecond: 1, clock: () => 0, message: 'Too many' });
    for (let index = 0; index < 9; index += 1) limit.assertLeft(1);
    for (let index = 0; index < 2; index += 1) limit.take(1);
    expect(() => limit.assertLeft(1)).toThrow('Too many');
  });

  it('is for each webhook alone', () => {
    const { admitted } = limitOf(1);
    expect([admitted(9, 1), admitted(9, 2), admitted(9, 1)]).toEqual([2, 2, 0]);
  });
});

describe('a flood of one webhook', () => {
  const fixture = useGateway({ WEBHOOK_RATE_LIMIT: '5', SECRETS_KEY: secretsKey });
  const send = ({ path }: KnownWebhook) => fixture.http('POST', path, { raw: '{}' });

  it('is 429 with Retry-After past its limit, leaves no log, and does not touch others', async () => {
    const [flooded, other] = [await fixture.webhooks.issue(), await fixture.webhooks.issue()];
    const replies = await Promise.all(Array.from({ length: 100 }, () => send(flooded)));
    const taken = replies.filter(({ status }) => status === 200).length;
    expect(taken).toBeGreaterThanOrEqual(10);
    expect(taken).toBeLessThan(50);
    for (const { status, headers, body } of replies.filter((reply) => reply.status !== 200)) {
      expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await send(other)).status).toBe(200);
    expect(await fixture.webhooks.deliveriesOf(flooded)).toHaveLength(taken);
    await expect.poll(async () => (await send(flooded)).status, { timeout: 5_000 }).toBe(200);
  });

  it('without valid signatures is refused, and the sender can send all that it may', async () => {
    const secret = 'a secret of the sender';
    const { path } = await fixture.webhooks.issue({}, { type: 'github', secret });
    const valid = createHmac('sha256', secret).update('{}').digest('hex');
    const sendSigned = async (signature?: string) => {
      const headers = signature === undefined ? {} : { 'x-hub-signature-256': `sha256=${signature}` };
      return (await fixture.http('POST', path, { raw: '{}', headers })).status;
    };
    const statuses = (count: number, signature?: string) =>
      Promise.all(Array.from({ length: count }, () => sendSigned(signature)));
    for (const signature of [undefined, '0'.repeat(64)]) {
      const refused = await statuses(100, signature);
      expect(new Set([401, 429, ...refused])).toEqual(new Set([401, 429]));
      expect(refused.filter((status) => status === 429).length).toBeGreaterThan(50);
    }
    expect(await statuses(10, valid)).toEqual(Array(10).fill(200));
    expect(await statuses(30, valid)).toContain(429);
  });
});
