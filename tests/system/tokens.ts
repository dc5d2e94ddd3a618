import { createHmac } from 'node:crypto';

/** By which the gateways under test know users. */
export const jwtSecret = 'with this the tests sign, 32 bytes or more';
/** What the services under test seal tokens and secrets of webhooks with. */
export const secretsKey = '5e'.repeat(32);

/** A token of a user, good for an hour. */
export function tokenOf(userId: number): string {
  return signToken({ sub: String(userId), exp: inSeconds(3_600) });
}

/** A token with any content, by which a test can lie. */
export function signToken(claims: object): string {
  const signed = [{ alg: 'HS256' }, claims].map(encode).join('.');
  return `${signed}.${createHmac('sha256', jwtSecret).update(signed).digest('base64url')}`;
}

/** A time as tokens have it, in seconds since 1970. */
export function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
