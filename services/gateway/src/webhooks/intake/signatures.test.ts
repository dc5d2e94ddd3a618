import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signatureChecks } from './signatures.ts';

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

  it('takes the example of the specification, with and without the prefix of the secret', () => {
    expect(check({ headers, body }, secret, now)).toBe(true);
    expect(check({ headers, body }, secret.slice('whsec_'.length), now)).toBe(true);
  });

  it('takes one good signature among others, as while a secret is changed', () => {
    const several = { ...headers, 'webhook-signature': `v1a,${'A'.repeat(88)} v1,AAAA ${good} v2,x` };
    expect(check({ headers: several, body }, secret, now)).toBe(true);
  });

  it.each([4.9, -4.9])('takes what was signed %s minutes ago', (ago) => {
    expect(check({ headers, body }, secret, now + minutes(ago))).toBe(true);
  });

  it.each([5.1, -5.1, 60])('refuses what was signed %s minutes ago', (ago) => {
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

  it('takes the example of its documentation', () => expect(check(call(good), secret, now)).toBe(true));

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

  it('refuses what was signed more than 5 minutes ago', () => {
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
