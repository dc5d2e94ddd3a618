import { createSecretKey } from 'node:crypto';
import { userIdPattern, WireError } from '@mneme/contracts';
import {
  createRemoteJWKSet,
  errors,
  type JWKSCacheInput,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwksCache,
  jwtVerify,
} from 'jose';
import type { GatewayConfig } from '../config.ts';
import { credentialRefused, unavailable } from '../errors.ts';

/** Verifies the tokens of users. */
export interface TokenVerifier {
  /**
   * @throws UnauthenticatedError when the token is invalid; WireError 503 when the keys of the identity provider cannot be
   * fetched
   */
  verify(token: string): Promise<VerifiedUser>;
}

/** What a token says of its user. */
export interface VerifiedUser {
  readonly userId: number;
  /** The role of operators, if the claim `roles` or `role` contains it. */
  readonly operatorRole?: string | undefined;
}

/** Without `OPERATOR_ROLE`, no token makes a user an operator. */
export type TokenSettings = Partial<
  Pick<GatewayConfig, 'JWT_SECRET' | 'JWT_JWKS_URL' | 'JWT_ISSUER' | 'JWT_AUDIENCE' | 'OPERATOR_ROLE'>
>;

/** The tolerated difference of clocks, in seconds. */
const clockToleranceSeconds = 5;
/** How far the clock of the issuer may be ahead, in seconds. */
const issuedAheadSeconds = 60;
/** The longest lifetime of a token, in seconds: a leap year. */
const maxLifetimeSeconds = 366 * 24 * 60 * 60;

/**
 * Verifies tokens with the secret, or with the keys of an identity provider. These settings determine the accepted
 * algorithms and the source of the keys; the headers of a token never do. Without settings, every token is invalid.
 * @param clock milliseconds since 1970
 */
export function createTokenVerifier(settings: TokenSettings, clock: () => number): TokenVerifier {
  const verifySignature = signatureVerifier(settings);
  return {
    verify: async (token) => {
      try {
        const payload = await verifySignature(token);
        assertLifetime(payload, Math.floor(clock() / 1_000));
        return { userId: userIdOf(payload), operatorRole: roleIn(payload, settings.OPERATOR_ROLE) };
      } catch (error) {
        throw error instanceof WireError ? error : credentialRefused(error);
      }
    },
  };
}

function signatureVerifier(settings: TokenSettings): (token: string) => Promise<JWTPayload> {
  const { JWT_SECRET: secret, JWT_JWKS_URL: url, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = settings;
  const claims = {
    requiredClaims: ['exp', 'sub'],
    clockTolerance: clockToleranceSeconds,
    ...(issuer !== undefined && { issuer }),
    ...(audience !== undefined && { audience }),
  };
  if (secret !== undefined) {
    const key = createSecretKey(Buffer.from(secret, 'utf8'));
    return async (token) => (await jwtVerify(token, key, { ...claims, algorithms: ['HS256'] })).payload;
  }
  if (url !== undefined) {
    const keys = providerKeys(url);
    return (token) => verifyByAnyKey(token, keys, { ...claims, algorithms: ['RS256', 'ES256'] });
  }
  return async () => {
    throw credentialRefused();
  };
}

/**
 * The keys of an identity provider, fetched on demand and cached for some minutes. Their age is measured by the wall clock;
 * after it was set back they would be used until it has reached the time of their fetch again, so they are fetched anew.
 */
function providerKeys(url: string): JWTVerifyGetKey {
  const cache: JWKSCacheInput = {};
  const keySet = createRemoteJWKSet(new URL(url), { [jwksCache]: cache });
  return async (header, token) => {
    try {
      if (cache.uat !== undefined && cache.uat > Date.now()) await keySet.reload();
      return await keySet(header, token);
    } catch (error) {
      if (faultsOfTokens.some((fault) => error instanceof fault)) throw error;
      throw unavailable('The keys of the identity provider cannot be fetched now, try again', undefined, error);
    }
  };
}

const faultsOfTokens = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];

/** A token without a key id may be signed by any key of its type. */
async function verifyByAnyKey(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      const verified = await jwtVerify(token, key, options).catch(unlessOtherKey);
      if (verified) return verified.payload;
    }
    throw error;
  }
}

function unlessOtherKey(error: unknown): undefined {
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
}

/** A token without end would be a password that cannot be changed; one from the future comes from a wrong clock. */
function assertLifetime({ exp = 0, iat }: JWTPayload, now: number): void {
  const isFromFuture = iat !== undefined && !(iat <= now + issuedAheadSeconds);
  const lifetime = exp - (iat ?? now);
  if (isFromFuture || !(lifetime <= maxLifetimeSeconds)) throw credentialRefused();
}

function userIdOf({ sub }: JWTPayload): number {
  if (typeof sub === 'string' && userIdPattern.test(sub)) return Number(sub);
  throw credentialRefused();
}

/**
 * Looks for a role in the claims of a token. Identity providers write one role as a text, several as a list or as a text with
 * blanks between them.
 * @returns `wanted`, or undefined when the claims do not contain it
 */
export function roleIn({ roles, role }: JWTPayload, wanted: string | undefined): string | undefined {
  const given = [roles, role].flatMap((claim) => (typeof claim === 'string' ? claim.split(' ') : claim));
  return given.includes(wanted) ? wanted : undefined;
}
