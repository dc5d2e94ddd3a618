import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, type JWTPayload, SignJWT } from 'jose';

/** An identity provider that signs in every user, by the authorization code flow with PKCE. */
export interface OidcProvider {
  readonly issuer: string;
  /** Changes the claims of the next ID tokens. */
  readonly claims: JWTPayload;
  stop(): Promise<void>;
}

/** @param host the name of this machine by which browsers and gateways reach it */
export async function startOidcProvider(clientId: string, host = '127.0.0.1'): Promise<OidcProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'rsa', alg: 'RS256', use: 'sig' };
  const asked = new Map<string, URLSearchParams>();
  const claims: JWTPayload = {};
  let issuer = '';

  const authorize = (parameters: URLSearchParams) => {
    const code = randomUUID();
    asked.set(code, parameters);
    const back = new URL(parameters.get('redirect_uri') ?? '');
    for (const [name, value] of Object.entries({ code, state: parameters.get('state') ?? '', iss: issuer })) {
      back.searchParams.set(name, value);
    }
    return back.href;
  };
  const exchange = async (parameters: URLSearchParams) => {
    const request = asked.get(parameters.get('code') ?? '');
    asked.delete(parameters.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(parameters.get('code_verifier') ?? '')
      .digest('base64url');
    const isProven = request?.get('code_challenge_method') === 'S256' && request.get('code_challenge') === challenge;
    if (!isProven || request.get('redirect_uri') !== parameters.get('redirect_uri')) return { error: 'invalid_grant' };
    const own = {
      sub: '7',
      iss: issuer,
      aud: clientId,
      nonce: request.get('nonce') ?? '',
      iat: inSeconds(0),
      exp: inSeconds(60),
    };
    const idToken = await new SignJWT({ ...own, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'rsa' })
      .sign(privateKey);
    return { access_token: randomUUID(), token_type: 'Bearer', id_token: idToken };
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer);
    const json = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/authorize') response.writeHead(302, { location: authorize(searchParams) }).end();
    else if (pathname === '/jwks') json({ keys: [jwk] });
    else if (pathname === '/token') {
      const reply = await exchange(new URLSearchParams(await text(request)));
      json(reply, 'error' in reply ? 400 : 200);
    } else json(metadataOf(issuer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    claims,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** In seconds since 1970. */
function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  };
}
