import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWTPayload, SignJWT } from 'jose';

export const jwtSecret = 'a secret of a test that has 32 bytes';

/** In seconds since 1970. */
export function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}

/** A token of a user, signed with the local secret; valid unless its claims say otherwise. */
export function userToken(userId: number | string, claims: JWTPayload = {}): string {
  return handMade({ sub: String(userId), exp: inSeconds(600), ...claims });
}

/** A token made by hand, since no library makes invalid ones. */
export function handMade(
  claims: unknown,
  header: object = { alg: 'HS256' },
  secret: string | Buffer = jwtSecret,
): string {
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** An identity provider with one key of each kind. */
export interface IdentityProvider {
  readonly url: string;
  /** How often its keys were asked for. */
  requests(): number;
  /** Gives its keys other ids. */
  rotate(suffix: string): void;
  readonly rsa: { readonly privateKey: KeyObject; readonly publicPem: string };
  readonly ec: { readonly privateKey: KeyObject };
  sign(claims: JWTPayload, header: { alg: string; kid?: string }, key?: KeyObject): Promise<string>;
  stop(): Promise<void>;
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = [
    { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', alg: 'RS256', use: 'sig' },
    { ...ec.publicKey.export({ format: 'jwk' }), kid: 'ec', alg: 'ES256', use: 'sig' },
  ];
  let requests = 0;
  let suffix = '';
  const server = createServer((_request, response) => {
    requests += 1;
    const named = keys.map((key) => ({ ...key, kid: `${key.kid}${suffix}` }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: named }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    requests: () => requests,
    rotate: (to) => {
      suffix = to;
    },
    rsa: { privateKey: rsa.privateKey, publicPem: rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString() },
    ec,
    sign: (claims, header, key = header.alg === 'ES256' ? ec.privateKey : rsa.privateKey) =>
      new SignJWT({ sub: '7', exp: inSeconds(600), ...claims }).setProtectedHeader(header).sign(key),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
