import { userIdPattern } from '@mneme/contracts';
import type { Logger } from '@mneme/service-kit';
import * as oidc from 'openid-client';
import { roleIn, type TokenSettings, type VerifiedUser } from '../auth/token-verifier.ts';
import type { GatewayConfig } from '../config.ts';
import { unavailable } from '../errors.ts';

/** How long the identity provider may take to answer, in seconds. */
const timeoutSeconds = 10;

export type IdentityProviderSettings = Pick<TokenSettings, 'OPERATOR_ROLE'> &
  Pick<GatewayConfig, 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_SCOPE' | 'OIDC_USER_CLAIM'>;

/** What has to be known again when a browser returns from the identity provider. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  /** PKCE code verifier: ties the callback to the browser that started the sign-in. */
  readonly verifier: string;
  readonly redirectUri: string;
}

/** Signs users in at an identity provider: OpenID Connect, authorization code with PKCE. Scripts see no token. */
export interface IdentityProvider {
  /** @throws WireError 503 when the provider is out of reach */
  start(redirectUri: string): Promise<{ readonly url: URL; readonly attempt: SignInAttempt }>;
  /**
   * @param returned the address by which the browser came back
   * @returns undefined when the provider has not signed the user in, or names one with another kind of id
   */
  finish(returned: URL, attempt: SignInAttempt): Promise<VerifiedUser | undefined>;
}

/** @returns undefined when none is configured */
export function createIdentityProvider(
  settings: IdentityProviderSettings,
  logger: Logger,
): IdentityProvider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_SCOPE: scope } = settings;
  if (issuer === undefined || clientId === undefined) return undefined;
  let known: oidc.Configuration | undefined;
  const configuration = async () => {
    known ??= await discover(issuer, clientId, settings.OIDC_CLIENT_SECRET);
    return known;
  };
  return {
    start: async (redirectUri) => {
      const attempt = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        redirectUri,
      };
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { url, attempt };
    },
    finish: async (returned, attempt) => {
      try {
        // The library sends the address without its parameters as `redirect_uri`, which has to be that of the start.
        const current = new URL(attempt.redirectUri + returned.search);
        const tokens = await oidc.authorizationCodeGrant(await configuration(), current, {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        const userId = userIdIn(claims?.[settings.OIDC_USER_CLAIM], settings.OIDC_USER_CLAIM);
        return { userId, operatorRole: claims && roleIn(claims, settings.OPERATOR_ROLE) };
      } catch (error) {
        logger.warn({ reason: reasonOf(error) }, 'Sign-in at the identity provider failed');
        return undefined;
      }
    },
  };
}

/** In one line, without what was sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

async function discover(issuer: string, clientId: string, secret: string | undefined): Promise<oidc.Configuration> {
  const url = new URL(issuer);
  const authentication = secret === undefined ? oidc.None() : oidc.ClientSecretPost(secret);
  // The settings allow plain http to this machine only.
  const execute = url.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  const options = { timeout: timeoutSeconds, execute: [...execute, oidc.enableNonRepudiationChecks] };
  try {
    return await oidc.discovery(url, clientId, undefined, authentication, options);
  } catch (error) {
    throw unavailable('The identity provider cannot be reached now, try again', undefined, error);
  }
}

function userIdIn(claim: unknown, name: string): number {
  const text = typeof claim === 'number' ? String(claim) : claim;
  if (typeof text === 'string' && userIdPattern.test(text)) return Number(text);
  throw new Error(`The claim ${name} is no user id, which is a whole number of 15 digits at most; see OIDC_USER_CLAIM`);
}
