import { createHmac } from 'node:crypto';
import { type VerificationType, type WebhookToken, webhookSecrets } from '@mneme/contracts';
import { createSealing } from '@mneme/service-kit';
import { describe, expect, it } from 'vitest';
import { useGateway } from '../../testing/gateway-fixture.ts';
import { secretsKey } from '../../testing/webhook-records.ts';
import { signatureChecks, verifyByNewest } from './signatures.ts';

const body = Buffer.from('{"test": 2432232314}');
const sentAt = 1_614_265_330;
const now = sentAt * 1_000;
const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const minutes = (count: number) => count * 60 * 1_000;

describe('standard-webhooks', () => {
  const check = signatureChecks['standard-webhooks'];
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const good = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': String(sentAt),
    'webhook-signature': good,
  };

  it('accepts the example of the specification, with and without the prefix of the secret', () => {
    expect(check({ headers, body }, secret, now)).toBe(true);
    expect(check({ headers, body }, secret.slice('whsec_'.length), now)).toBe(true);
  });

  it('accepts one good signature among others, as during a change of the secret', () => {
    const several = { ...headers, 'webhook-signature': `v1a,${'A'.repeat(88)} v1,AAAA ${good} v2,x` };
    expect(check({ headers: several, body }, secret, now)).toBe(true);
  });

  it.each([4.9, -4.9])('accepts a signature of %s minutes ago', (ago) => {
    expect(check({ headers, body }, secret, now + minutes(ago))).toBe(true);
  });

  it.each([5.1, -5.1, 60])('refuses a signature of %s minutes ago', (ago) => {
    expect(check({ headers, body }, secret, now + minutes(ago))).toBe(false);
  });

  it.each([
    { 'webhook-signature': good.replace('v1,', 'v2,') },
    { 'webhook-signature': good.slice('v1,'.length) },
    { 'webhook-signature': 'v1,' },
    { 'webhook-signature': '' },
    { 'webhook-id': 'msg_other' },
    { 'webhook-id': '' },
    { 'webhook-timestamp': String(sentAt + 1) },
    { 'webhook-timestamp': `${sentAt}.0` },
    { 'webhook-timestamp': '' },
  ])('refuses %j', (wrong) => {
    expect(check({ headers: { ...headers, ...wrong }, body }, secret, now)).toBe(false);
    expect(check({ headers: {}, body }, secret, now)).toBe(false);
  });

  it('refuses another body and another secret', () => {
    expect(check({ headers, body: Buffer.from('{"test":2432232314}') }, secret, now)).toBe(false);
    expect(check({ headers, body }, 'whsec_AAAA', now)).toBe(false);
  });

  it.each(['whsec_', '!', 'whsec_ü', 'not base64'])('never signs with an empty key: %s', (odd) => {
    const signed = createHmac('sha256', '').update(`${headers['webhook-id']}.${sentAt}.${body}`).digest('base64');
    expect(check({ headers: { ...headers, 'webhook-signature': `v1,${signed}` }, body }, odd, now)).toBe(false);
  });
});

describe('github', () => {
  const check = signatureChecks.github;
  const secret = "It's a Secret to Everybody";
  const good = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  const call = (signature?: string) => ({
    headers: signature === undefined ? {} : { 'x-hub-signature-256': signature },
    body: Buffer.from('Hello, World!'),
  });

  it('accepts the example of its documentation', () => expect(check(call(good), secret, now)).toBe(true));

  it.each([
    undefined,
    '',
    'sha256=',
    good.slice(7),
    good.replace('sha256', 'sha1'),
    `${good}00`,
    good.replace('7571', '7572'),
  ])('refuses %s', (signature) => expect(check(call(signature), secret, now)).toBe(false));
});

describe('stripe', () => {
  const check = signatureChecks.stripe;
  const secret = 'whsec_test_secret';
  const good = hex(secret, `${sentAt}.${body}`);
  const call = (signature: string) => ({ headers: { 'stripe-signature': signature }, body });

  it.each([`t=${sentAt},v1=${good}`, `t=${sentAt}, v1=${'0'.repeat(64)}, v1=${good}, v0=${good}`])(
    'takes %s',
    (signature) => {
      expect(check(call(signature), secret, now)).toBe(true);
    },
  );

  it.each(['', `v1=${good}`, `t=${sentAt}`, `t=${sentAt},v0=${good}`, `t=${sentAt + 1},v1=${good}`, `t=,v1=${good}`])(
    'refuses %s',
    (signature) => expect(check(call(signature), secret, now)).toBe(false),
  );

  it('refuses a signature of more than 5 minutes ago', () => {
    expect(check(call(`t=${sentAt},v1=${good}`), secret, now + minutes(5.1))).toBe(false);
  });
});

describe('hmac-sha256', () => {
  const check = signatureChecks['hmac-sha256'];
  const good = hex('secret', String(body));

  it.each([
    { 'x-signature-256': good },
    { 'x-signature': good },
    { 'x-signature': good.toUpperCase() },
    { 'x-signature-256': `sha256=${good}` },
  ])('takes %j', (headers) => expect(check({ headers, body }, 'secret', now)).toBe(true));

  it.each([{}, { 'x-signature': '' }, { 'x-signature': good.slice(2) }, { 'x-signature': '0'.repeat(64) }])(
    'refuses %j',
    (headers) => expect(check({ headers, body }, 'secret', now)).toBe(false),
  );
});

const fixture = useGateway({ SECRETS_KEY: secretsKey });

const senderSecret = 'a secret of the sender';
const raw = '{"a":1}';

/** What a sender writes into its headers. */
const signers: Readonly<Record<Exclude<VerificationType, 'none'>, (body: string) => Record<string, string>>> = {
  'standard-webhooks': (body) => {
    const sentAt = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', senderSecret).update(`m1.${sentAt}.${body}`).digest('base64');
    return { 'webhook-id': 'm1', 'webhook-timestamp': String(sentAt), 'webhook-signature': `v1,${signature}` };
  },
  github: (body) => ({ 'x-hub-signature-256': `sha256=${hex(senderSecret, body)}` }),
  stripe: (body) => {
    const sentAt = Math.floor(Date.now() / 1_000);
    return { 'stripe-signature': `t=${sentAt},v1=${hex(senderSecret, `${sentAt}.${body}`)}` };
  },
  'hmac-sha256': (body) => ({ 'x-signature-256': hex(senderSecret, body) }),
};

describe.each(Object.entries(signers))('a webhook that requires signatures of %s', (type, sign) => {
  it('accepts signed deliveries, and refuses others, which leave no log', async () => {
    const webhook = await fixture.webhooks.issue({}, { type: type as VerificationType, secret: senderSecret });
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

describe('where the replica that is asked is a revision behind', () => {
  const sealing = createSealing(Buffer.from(secretsKey, 'hex'));
  const withSecret = (secret: string, sequence: number): WebhookToken => {
    const sealedSecret = sealing.seal(secret, webhookSecrets.verification(7));
    const verification = { type: 'github', sealedSecret } as const;
    return { webhookId: 7, state: 'active', verification, deduplicate: false, sequence };
  };
  const delivery = { headers: signers.github(raw), body: Buffer.from(raw) };
  const verify = (known: WebhookToken, newest: WebhookToken) =>
    verifyByNewest(known, delivery, { sealing, clock: Date.now, findNewest: async () => newest });

  it('a signature by the newest secret is valid', async () => {
    const newest = withSecret(senderSecret, 2);
    expect(await verify(withSecret('a former secret', 1), newest)).toBe(newest);
  });

  it('a signature by no secret of the webhook is refused', async () => {
    const [known, newest] = [withSecret('a former secret', 1), withSecret('another', 2)];
    await expect(verify(known, newest)).rejects.toMatchObject({ status: 401 });
    await expect(verify(known, known)).rejects.toMatchObject({ status: 401 });
  });
});

it('a signed delivery that is no JSON is still 400', async () => {
  const webhook = await fixture.webhooks.issue({}, { type: 'github', secret: senderSecret });
  expect((await fixture.http('POST', webhook.path, { raw: '{', headers: signers.github('{') })).status).toBe(400);
});

it('a secret that cannot be unsealed is an internal error, with the cause in the log only', async () => {
  const another = await fixture.startAnother({ SECRETS_KEY: 'cd'.repeat(32) });
  const without = await fixture.startAnother({});
  const webhook = await fixture.webhooks.issue({}, { type: 'github', secret: senderSecret });
  for (const { http } of [another, without]) {
    fixture.log.length = 0;
    const { status, body } = await http('POST', webhook.path, { raw, headers: signers.github(raw) });
    expect([status, body.code, body.message]).toEqual([500, 'WEBHOOK_ERROR', 'Failed to receive the delivery']);
    const errors = fixture.log.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).toContain('SECRETS_KEY');
  }
  expect(await fixture.webhooks.deliveriesOf(webhook)).toEqual([]);
});
