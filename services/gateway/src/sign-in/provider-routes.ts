import { hkdfSync } from 'node:crypto';
import { createSealing, type Sealing, UnsealError } from '@mneme/service-kit';
import { parse, serialize } from 'cookie';
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import { markRoute, originOf } from '../http/request.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { IdentityProvider } from './identity-provider.ts';

export interface ProviderRouteDeps {
  readonly sessions: Sessions;
  /** At least 32 bytes that all gateways have in common; attempts to sign in are sealed with a key made from it. */
  readonly secret: Uint8Array;
  /** Undefined when none is configured. */
  readonly identityProvider: IdentityProvider | undefined;
  /** Where callers reach the gateways; unless given, each request tells. */
  readonly publicBaseUrl: string | undefined;
}

/** Where a browser goes to sign in, and where the identity provider sends it back to. */
const startPath = '/api/v3/session/provider';
const returnPath = '/api/v3/session/callback';
export const providerPaths = [startPath, returnPath] as const;

const cookieName = 'mneme-sign-in';
const cookieSeconds = 10 * 60;
const purpose = 'mneme sign-in attempt 1';
const keyBytes = 32;
/** Longer paths of the console are not returned to, so that the cookie stays below the 4,096 bytes that browsers accept. */
const maxPathLength = 1_000;
/** How long a session lasts that no token ends, in milliseconds. */
const sessionMs = 12 * 60 * 60 * 1_000;

const attemptSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  to: z.string(),
  /** Milliseconds since 1970. */
  expiresAt: z.int(),
});
type Attempt = z.infer<typeof attemptSchema>;

/**
 * Signs browsers in at the identity provider. An attempt is in the browser's cookie, sealed, so that a caller who asks
 * for many fills nothing here. The cookie may come along when another site leads back here, which that of a session may not.
 * An attempt is good for one answer of the provider only, which accepts its code once.
 */
export function bindIdentityProvider(app: Express, deps: ProviderRouteDeps): void {
  const { identityProvider, sessions, publicBaseUrl } = deps;
  if (!identityProvider) return;
  const sealing = createSealing(new Uint8Array(hkdfSync('sha256', deps.secret, '', purpose, keyBytes)));
  app.get(startPath, markRoute(startPath), async (request: Request, response: Response) => {
    const redirectUri = `${publicBaseUrl ?? originOf(request)}${returnPath}`;
    const { url, attempt } = await identityProvider.start(redirectUri);
    const expiresAt = Date.now() + cookieSeconds * 1_000;
    const kept: Attempt = { ...attempt, to: pathIn(request.query.to), expiresAt };
    setCookie(response, sealing.seal(JSON.stringify(kept), purpose), {
      secure: redirectUri.startsWith('https:'),
      maxAge: cookieSeconds,
    });
    response.redirect(302, url.href);
  });
  app.get(returnPath, markRoute(returnPath), async (request: Request, response: Response) => {
    const attempt = openAttempt(sealing, parse(request.headers.cookie ?? '')[cookieName] ?? '');
    const user = attempt && (await identityProvider.finish(new URL(request.url, originOf(request)), attempt));
    setCookie(response, '', { secure: attempt?.redirectUri.startsWith('https:') ?? false, maxAge: 0 });
    if (user) {
      const endsAt = Date.now() + sessionMs;
      await sessions.open(request, response, { grant: user, holder: { userId: user.userId }, endsAt });
    }
    response.redirect(302, user ? attempt.to : retryPath(attempt));
  });
}

/** Where one may try again, for the same page if it is known. */
function retryPath(attempt: Attempt | undefined): string {
  return `/sign-in?${new URLSearchParams({ failed: 'true', ...(attempt && { to: attempt.to }) })}`;
}

/** @returns undefined when it was not sealed by a gateway with this secret, or is too old */
function openAttempt(sealing: Sealing, sealed: string): Attempt | undefined {
  try {
    const attempt = attemptSchema.parse(JSON.parse(sealing.open(sealed, purpose)));
    return attempt.expiresAt > Date.now() ? attempt : undefined;
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
}

function setCookie(response: Response, value: string, options: { readonly secure: boolean; readonly maxAge: number }) {
  const cookie = serialize(cookieName, value, { path: '/api/v3/session', httpOnly: true, sameSite: 'lax', ...options });
  response.appendHeader('Set-Cookie', cookie);
}

/** A page of the console, and never another server. */
function pathIn(to: unknown): string {
  const base = 'http://console.invalid';
  const url = typeof to === 'string' && to.startsWith('/') ? URL.parse(to, base) : null;
  const path = url?.origin === base ? url.pathname + url.search : '/';
  // Browsers take `//name`, which `/.//name` becomes, for another server.
  return path.length <= maxPathLength && !path.startsWith('//') ? path : '/';
}
