import { isIP } from 'node:net';
import { userIdPattern } from '@mneme/contracts';
import { commaList, logLevel, natsUrl, secretsKey, streamReplicas, wholeNumber } from '@mneme/service-kit';
import { z } from 'zod';
import { anyHost, hostNameOf } from './http/hosts.ts';

/** Stands for every origin in `CORS_ORIGINS`. */
const anyOrigin = '*';
const namedNetworks = new Set(['loopback', 'linklocal', 'uniquelocal']);
/** HS256 requires a secret of as many bytes as its hash has. */
const minSecretBytes = 32;

const gatewaySettings = z.object({
  HOST: z.string().default('127.0.0.1'),
  /** 0 takes a free port. */
  PORT: wholeNumber({ min: 0, max: 65_535, default: 8080 }),
  /** Where `/healthz`, `/readyz` and `/metrics` are served beside `PORT`; 0: nowhere else. */
  HEALTH_PORT: wholeNumber({ min: 0, max: 65_535, default: 0 }),
  /** How long requests are still taken after the readiness is off, so that load balancers can let go. */
  SHUTDOWN_DELAY_MS: wholeNumber({ min: 0, max: 8_000, default: 0 }),
  NATS_URL: natsUrl,
  STREAM_REPLICAS: streamReplicas,
  /** The largest body, in bytes after decompression; its result has to fit into a MongoDB document. */
  BODY_LIMIT: wholeNumber({ min: 1_024, max: 12 * 1_024 * 1_024, default: 5 * 1_024 * 1_024 }),
  /** The largest body of a webhook delivery, in bytes after decompression. */
  WEBHOOK_BODY_LIMIT: wholeNumber({ min: 1, max: 64 * 1_024 * 1_024, default: 1_024 * 1_024 }),
  /** Requests per second that one gateway accepts for one webhook; twice as many in a burst. */
  WEBHOOK_RATE_LIMIT: wholeNumber({ min: 1, max: 1_000_000, default: 500 }),
  /** How long a request with its body may take to arrive. */
  REQUEST_TIMEOUT_MS: wholeNumber({ min: 1_000, max: 3_600_000, default: 60_000 }),
  /** How long a caller may leave an answer unread before the connection is closed. */
  RESPONSE_STALL_TIMEOUT_MS: wholeNumber({ min: 100, max: 3_600_000, default: 30_000 }),
  /**
   * How many bytes a day's requests with an Idempotency-Key may take in NATS. Their answers may take as many again, and so
   * may the ids of deliveries to webhooks that deduplicate.
   */
  IDEMPOTENCY_MAX_BYTES: wholeNumber({ min: 65_536, max: 1_099_511_627_776, default: 256 * 1_024 * 1_024 }),
  /** How long a synchronous batch waits for its outcome. */
  SYNC_TIMEOUT_MS: wholeNumber({ min: 1, max: 3_600_000, default: 120_000 }),
  /** Origins whose pages may use the API; `*` for any. An empty list turns CORS off. */
  CORS_ORIGINS: commaList().refine(
    (origins) => origins.every((origin) => origin === anyOrigin || isOrigin(origin)),
    'must be origins as browsers send them, such as https://app.example, without a path or a slash at the end, or *',
  ),
  /** Host names that requests without credentials may be sent to, beside those of this machine; `*` for any. */
  ALLOWED_HOSTS: commaList().refine(
    (hosts) => hosts.every((host) => host === anyHost || hostNameOf(host) !== undefined),
    'must be host names or addresses, or *',
  ),
  /** Addresses, networks or `loopback`, `linklocal`, `uniquelocal`, whose forwarded headers are trusted. */
  TRUSTED_PROXIES: commaList().refine(
    (proxies) => proxies.every((proxy) => namedNetworks.has(proxy) || isNetwork(proxy)),
    'must be addresses, networks, or loopback, linklocal, uniquelocal',
  ),
  /** Where callers reach this gateway; unless given, addresses are made from the headers of each request. */
  PUBLIC_BASE_URL: z
    .string()
    .refine(isBaseUrl, 'must be an address of http or https without query, fragment and credentials')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  /** Unseals the secrets of webhook signatures, and seals answers to requests with an Idempotency-Key. */
  SECRETS_KEY: secretsKey.optional(),
  /** Whether the memory routes require credentials. */
  MEMORY_AUTH: z.enum(['optional', 'required']).default('optional'),
  /** The secret that the tokens of users are verified with (HS256). */
  JWT_SECRET: z
    .string()
    .refine((secret) => Buffer.byteLength(secret) >= minSecretBytes, `must be ${minSecretBytes} bytes or more`)
    .optional(),
  /** Where an identity provider publishes the keys that its tokens are verified with (RS256, ES256). */
  JWT_JWKS_URL: z
    .string()
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an address of http or https')
    .optional(),
  /** The required issuer and audience of tokens; any unless given. */
  JWT_ISSUER: z.string().optional(),
  JWT_AUDIENCE: z.string().optional(),
  /** The ids of the users who may see and repair the system. */
  OPERATORS: commaList()
    .refine((ids) => ids.every((id) => userIdPattern.test(id)), 'must be ids of users, separated by commas')
    .transform((ids) => ids.map(Number)),
  /** Tokens with this role in `roles` or `role` make their users operators as well; `none`: no token does. */
  OPERATOR_ROLE: z
    .string()
    .regex(/^[^\s,]{1,100}$/, 'must be one role without blanks')
    .default('operator')
    // Last: a default also takes the place of what a transform makes undefined.
    .transform((role) => (role === 'none' ? undefined : role)),
  /** The identity provider at which users of the console sign in (OpenID Connect). */
  OIDC_ISSUER: z.string().refine(isIssuer, 'must be an address of https, or of http on this machine').optional(),
  /** As which this server is registered there. */
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  /** Unless given, the client is public, and PKCE alone protects the exchange. */
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_SCOPE: z
    .string()
    .refine((scope) => scope.split(' ').includes('openid'), 'must contain openid')
    .default('openid'),
  /** The claim of the ID token that is the user id. */
  OIDC_USER_CLAIM: z.string().min(1).default('sub'),
  /** How many invalid credentials an address may send within a minute. */
  AUTH_FAILURE_LIMIT: wholeNumber({ min: 1, max: 1_000_000, default: 600 }),
  LOG_LEVEL: logLevel,
});

/** Random bytes have more different characters in any usual notation. */
const minSecretCharacters = 8;

/** What to tell operators at the start; undefined when there is nothing. */
export function warningAbout({ JWT_SECRET }: Pick<GatewayConfig, 'JWT_SECRET'>): string | undefined {
  if (JWT_SECRET === undefined || new Set(JWT_SECRET).size >= minSecretCharacters) return undefined;
  return `JWT_SECRET has fewer than ${minSecretCharacters} different characters, so it is easily guessed; make one with: openssl rand -hex 32`;
}

/** Extensions of browsers and apps have schemes of their own. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.host !== '' && text === `${url.protocol}//${url.host}`;
}

/** An address, or one with the length of a prefix. */
function isNetwork(text: string): boolean {
  const [, address = '', prefix] = /^(.*?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const maxPrefix = { 4: 32, 6: 128 }[isIP(address)];
  const length = Number(prefix ?? maxPrefix);
  return maxPrefix !== undefined && length >= 1 && length <= maxPrefix;
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !/[?#@]/.test(text);
}

function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && (url.hostname === 'localhost' || /^127(\.\d{1,3}){3}$/.test(url.hostname));
}

/**
 * Refuses settings that are valid alone and not together. A schema that merges the shape of `gatewayConfigSchema` with
 * others has to apply this check again.
 */
export function checkTokenSettings(
  settings: Pick<
    z.output<typeof gatewaySettings>,
    'JWT_SECRET' | 'JWT_JWKS_URL' | 'MEMORY_AUTH' | 'OIDC_ISSUER' | 'OIDC_CLIENT_ID'
  >,
  context: z.RefinementCtx,
): void {
  const { JWT_SECRET, JWT_JWKS_URL, MEMORY_AUTH, OIDC_ISSUER, OIDC_CLIENT_ID } = settings;
  if ((OIDC_ISSUER === undefined) !== (OIDC_CLIENT_ID === undefined)) {
    const missing = OIDC_ISSUER === undefined ? 'OIDC_ISSUER' : 'OIDC_CLIENT_ID';
    const message = 'is needed too; OIDC_ISSUER and OIDC_CLIENT_ID are set together';
    context.addIssue({ code: 'custom', path: [missing], message });
  }
  if (JWT_SECRET !== undefined && JWT_JWKS_URL !== undefined) {
    const message = 'cannot be set together with JWT_SECRET; tokens are verified by one of them';
    context.addIssue({ code: 'custom', path: ['JWT_JWKS_URL'], message });
  }
  if (JWT_SECRET === undefined && JWT_JWKS_URL === undefined && MEMORY_AUTH === 'required') {
    const message = 'is "required": set JWT_SECRET or JWT_JWKS_URL to verify the tokens of users';
    context.addIssue({ code: 'custom', path: ['MEMORY_AUTH'], message });
  }
}

/** The gateway's part of the environment. */
export const gatewayConfigSchema = gatewaySettings.superRefine(checkTokenSettings);

export type GatewayConfig = Readonly<z.output<typeof gatewayConfigSchema>>;

/**
 * The hosts that requests without credentials may be sent to, including those of `HOST` and `PUBLIC_BASE_URL`; undefined if
 * every request needs credentials.
 */
export function openHostsOf(config: GatewayConfig): readonly string[] | undefined {
  if (config.MEMORY_AUTH === 'required') return undefined;
  const own = config.PUBLIC_BASE_URL === undefined ? undefined : URL.parse(config.PUBLIC_BASE_URL)?.host;
  const listening = isIP(config.HOST) === 6 ? `[${config.HOST}]` : config.HOST;
  const isWildcard = config.HOST === '0.0.0.0' || config.HOST === '::';
  return [...config.ALLOWED_HOSTS, ...(own === undefined ? [] : [own]), ...(isWildcard ? [] : [listening])];
}

/** The address at which a gateway reaches itself on a port that it listens on. */
export function ownUrlOf({ HOST }: Pick<GatewayConfig, 'HOST'>): (port: number) => string {
  const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST;
  return (port) => `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
