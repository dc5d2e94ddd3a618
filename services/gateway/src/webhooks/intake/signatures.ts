import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type VerificationType, type WebhookToken, webhookSecrets } from '@mneme/contracts';
import type { Sealing } from '@mneme/service-kit';
import { UnauthenticatedError } from '../../errors.ts';

/** The parts of a delivery that are signed. */
export interface SignedDelivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Whether a delivery has a signature that was made with the secret. @param nowMs milliseconds since 1970 */
export type SignatureCheck = (delivery: SignedDelivery, secret: string, nowMs: number) => boolean;

/** How far the time of a signature may be from now, so that an intercepted delivery cannot be replayed later. */
const toleranceMs = 5 * 60 * 1_000;

export interface VerificationDeps {
  /** Undefined if the gateway has no `SECRETS_KEY`. */
  readonly sealing: Sealing | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Checks the signature that a webhook requires. Before a refusal the record of the webhook is read once more: a replica that
 * lags behind may have a former secret.
 * @returns the webhook as the signature was checked
 * @throws UnauthenticatedError when it is missing, invalid or expired; Error when the secret is not available; what
 * `findNewest` throws
 */
export async function verifyByNewest(
  webhook: WebhookToken,
  delivery: SignedDelivery,
  deps: VerificationDeps & { readonly findNewest: () => Promise<WebhookToken> },
): Promise<WebhookToken> {
  try {
    verifySignature(webhook, delivery, deps);
    return webhook;
  } catch (error) {
    if (!(error instanceof UnauthenticatedError)) throw error;
    const newest = await deps.findNewest();
    if (newest.sequence === webhook.sequence) throw error;
    verifySignature(newest, delivery, deps);
    return newest;
  }
}

/**
 * @throws UnauthenticatedError when the signature is missing, invalid or expired
 * @throws Error when the secret is not available
 */
function verifySignature(
  { webhookId, verification }: WebhookToken,
  delivery: SignedDelivery,
  deps: VerificationDeps,
): void {
  if (verification.type === 'none') return;
  const { sealing, clock } = deps;
  if (!sealing) throw new Error('The gateway needs SECRETS_KEY to check the signatures of deliveries');
  if (verification.sealedSecret === null) throw new Error(`Webhook ${webhookId} requires signatures and has no secret`);
  const secret = sealing.open(verification.sealedSecret, webhookSecrets.verification(webhookId));
  if (signatureChecks[verification.type](delivery, secret, clock())) return;
  throw new UnauthenticatedError(
    'The signature of the delivery is missing, invalid or expired',
    'Signature realm="mneme"',
  );
}

/** The headers of which a signed delivery has one, as Node.js spells them. */
const signatureHeaders: Readonly<Record<VerificationType, readonly string[]>> = {
  none: [],
  'standard-webhooks': ['webhook-signature'],
  github: ['x-hub-signature-256'],
  stripe: ['stripe-signature'],
  'hmac-sha256': ['x-signature-256', 'x-signature'],
};

/** Whether a delivery has a signature, valid or not. */
export function hasSignature(headers: IncomingHttpHeaders, type: VerificationType): boolean {
  return signatureHeaders[type].some((name) => textOf(headers, name) !== '');
}

export const signatureChecks: Readonly<Record<Exclude<VerificationType, 'none'>, SignatureCheck>> = {
  'standard-webhooks': ({ headers, body }, secret, nowMs) => {
    const id = textOf(headers, 'webhook-id');
    const time = textOf(headers, 'webhook-timestamp');
    if (id === '' || !isRecent(time, nowMs)) return false;
    const given = textOf(headers, 'webhook-signature').split(' ');
    const signatures = given.filter((part) => part.startsWith('v1,')).map((part) => fromBase64(part.slice(3)));
    return isAmong(hmac(standardKey(secret), `${id}.${time}.`, body), signatures);
  },
  github: ({ headers, body }, secret) => {
    const [, hex = ''] = /^sha256=(.*)$/.exec(textOf(headers, 'x-hub-signature-256')) ?? [];
    return isAmong(hmac(secret, '', body), [fromHex(hex)]);
  },
  stripe: ({ headers, body }, secret, nowMs) => {
    const parts = textOf(headers, 'stripe-signature')
      .split(',')
      .map((part) => part.trim().split('='));
    const valuesOf = (name: string) => parts.filter(([key]) => key === name).map(([, value = '']) => value);
    const [time = ''] = valuesOf('t');
    if (!isRecent(time, nowMs)) return false;
    return isAmong(hmac(secret, `${time}.`, body), valuesOf('v1').map(fromHex));
  },
  'hmac-sha256': ({ headers, body }, secret) => {
    const given = textOf(headers, 'x-signature-256') || textOf(headers, 'x-signature');
    return isAmong(hmac(secret, '', body), [fromHex(given.replace(/^sha256=/, ''))]);
  },
};

function textOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/** Node decodes headers as Latin-1, so encoding them as Latin-1 gives the received bytes. */
function hmac(key: string | Buffer, start: string, body: Buffer): Buffer {
  return createHmac('sha256', key).update(start, 'latin1').update(body).digest();
}

function isAmong(expected: Buffer, given: readonly (Buffer | undefined)[]): boolean {
  return given.some((signature) => signature?.length === expected.length && timingSafeEqual(signature, expected));
}

/** @param time seconds since 1970 */
function isRecent(time: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(time) && Math.abs(nowMs - Number(time) * 1_000) <= toleranceMs;
}

const base64Form = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}(?:==)?|[A-Za-z\d+/]{3}=?)?$/;

function fromBase64(text: string): Buffer | undefined {
  return text !== '' && base64Form.test(text) ? Buffer.from(text, 'base64') : undefined;
}

function fromHex(text: string): Buffer | undefined {
  return /^[\da-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/** Standard Webhooks encodes its keys as base64 after `whsec_`. Other secrets are used as they are, so no key is empty. */
function standardKey(secret: string): string | Buffer {
  return fromBase64(secret.replace(/^whsec_/, '')) ?? secret;
}
