import { createHmac } from 'node:crypto';
import type { VerificationType } from '@mneme/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayFixture, startGatewayFixture } from '../../testing/gateway-fixture.ts';
import { secretsKey } from '../../testing/webhook-records.ts';

let fixture: GatewayFixture;

beforeAll(async () => {
  fixture = await startGatewayFixture({ SECRETS_KEY: secretsKey });
}, 120_000);
afterAll(() => fixture.stop());

const secret = 'a secret of the sender';
const raw = '{"a":1}';

/** What a sender writes into its headers. */
const signers: Readonly<Record<Exclude<VerificationType, 'none'>, (body: string) => Record<string, string>>> = {
  'standard-webhooks': (body) => {
    const sentAt = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', secret).update(`m1.${sentAt}.${body}`).digest('base64');
    return { 'webhook-id': 'm1', 'webhook-timestamp': String(sentAt), 'webhook-signature': `v1,${signature}` };
  },
  github: (body) => ({ 'x-hub-signature-256': `sha256=${hex(body)}` }),
  stripe: (body) => {
    const sentAt = Math.floor(Date.now() / 1_000);
    return { 'stripe-signature': `t=${sentAt},v1=${hex(`${sentAt}.${body}`)}` };
  },
  'hmac-sha256': (body) => ({ 'x-signature-256': hex(body) }),
};

function hex(text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

describe.each(Object.entries(signers))('a webhook that asks for signatures of %s', (type, sign) => {
  it('takes what is signed and refuses all else, which leaves no log', async () => {
    const webhook = await fixture.webhooks.issue({}, { type: type as VerificationType, secret });
    const good = await fixture.http('POST', webhook.path, { raw, headers: sign(raw) });
    expect([good.status, good.body]).toEqual([200, { message: 'Webhook received' }]);
    for (const headers of [{}, sign('{"a":2}'), sign('')]) {
      const bad = await fixture.http('POST', webhook.path, { raw, headers });
      expect([bad.status, bad.body.code]).toEqual([401, 'UNAUTHENTICATED']);
      expect(bad.headers['www-authenticate']).toBe('Signature realm="mneme"');
    }
    expect(await fixture.webhooks.deliveriesOf(webhook)).toHaveLength(1);
  });
});

it('what is signed and is no JSON is still 400', async () => {
  const webhook = await fixture.webhooks.issue({}, { type: 'github', secret });
  expect((await fixture.http('POST', webhook.path, { raw: '{', headers: signers.github('{') })).status).toBe(400);
});

it('a secret that cannot be opened is a fault of ours, told in the log and not to the caller', async () => {
  const another = await fixture.startAnother({ SECRETS_KEY: 'cd'.repeat(32) });
  const without = await fixture.startAnother({});
  const webhook = await fixture.webhooks.issue({}, { type: 'github', secret });
  for (const { http } of [another, without]) {
    fixture.log.length = 0;
    const { status, body } = await http('POST', webhook.path, { raw, headers: signers.github(raw) });
    expect([status, body.code, body.message]).toEqual([500, 'WEBHOOK_ERROR', 'Failed to receive the webhook call']);
    const errors = fixture.log.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).toContain('SECRETS_KEY');
  }
  expect(await fixture.webhooks.deliveriesOf(webhook)).toEqual([]);
});
