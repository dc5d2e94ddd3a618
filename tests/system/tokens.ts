import { createHmac } from 'node:crypto';

/** By which the gateways under test know users. */
export const jwtSecret = 'with this the tests sign, 32 bytes or more';
/** What the services under test seal tokens and secrets of webhooks with. */
export const secretsKey = '5e'.repeat(32);

/** Makes a signature of the first two parts of a token. */
export type Signer = (signed: string) => Buffer;

export interface TokenParts {
  readonly header?: object;
  readonly signer?: Signer;
}

/** A token of a user, good for an hour. */
export function tokenOf(userId: number): string {
  return signToken({ sub: String(userId), exp: inSeconds(3_600) });
}

/** A token with any content, by which a test can lie. */
export function signToken(claims: object, { header = { alg: 'HS256' }, signer = hs256(jwtSecret) }: TokenParts = {}) {
  const signed = [header, claims].map(encode).join('.');
  return `${signed}.${signer(signed).toString('base64url')}`;
}

function hs256(secret: string | Buffer): Signer {
  return (signed) => createHmac('sha256', secret).update(signed).digest();
}

/** A time as tokens have it, in seconds since 1970. */
export function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
