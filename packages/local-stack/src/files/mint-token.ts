import { SignJWT } from 'jose';

export interface TokenOptions {
  /** 32 bytes of UTF-8 or more. */
  readonly secret: string;
  readonly userId: number;
  /** How long it is good for, in days. */
  readonly days: number;
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
}

const secondsPerDay = 86_400;

/** A token by which the gateway knows a user, signed with the secret that it verifies by (HS256). */
export function mintToken({ secret, userId, days, issuer, audience }: TokenOptions): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const token = new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(String(userId))
    .setIssuedAt(now)
    .setExpirationTime(now + days * secondsPerDay);
  if (issuer !== undefined) token.setIssuer(issuer);
  if (audience !== undefined) token.setAudience(audience);
  return token.sign(new TextEncoder().encode(secret));
}
