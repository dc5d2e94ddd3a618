import { isIP } from 'node:net';
import { commaList, logLevel, natsUrl, secretsKey, wholeNumber } from '@mneme/service-kit';
import { z } from 'zod';
import { anyHost, hostNameOf } from './http/hosts.ts';

const namedNetworks = new Set(['loopback', 'linklocal', 'uniquelocal']);
/** A shorter secret can be guessed; HS256 wants as many bytes as its hash has. */
const minSecretBytes = 32;
/** A secret of random bytes has more different characters in any usual notation. */
const minSecretCharacters = 8;

const gatewaySettings = z.object({
  HOST: z.string().default('127.0.0.1'),
  /** 0 takes a free port. */
  PORT: wholeNumber({ min: 0, max: 65_535, default: 8080 }),
  NATS_URL: natsUrl,
  /** How many servers keep the event log: 1, 3 or 5. */
  STREAM_REPLICAS: wholeNumber({ min: 1, max: 5, default: 1 }),
  /** The largest body, in bytes after decompression; a document of MongoDB has to hold what becomes of it. */
  BODY_LIMIT: wholeNumber({ min: 1_024, max: 12 * 1_024 * 1_024, default: 5 * 1_024 * 1_024 }),
  /** The largest body of an incoming webhook call, in bytes after decompression. */
  WEBHOOK_BODY_LIMIT: wholeNumber({ min: 1, max: 64 * 1_024 * 1_024, default: 1_024 * 1_024 }),
  /** Requests a second that one gateway takes for one webhook; twice as many at once. */
  WEBHOOK_RATE_LIMIT: wholeNumber({ min: 1, max: 1_000_000, default: 500 }),
  /** How long a request may take to come in with its body. */
  REQUEST_TIMEOUT_MS: wholeNumber({ min: 1_000, max: 3_600_000, default: 60_000 }),
  /** How long a caller may leave an answer unread before the connection is cut. */
  RESPONSE_STALL_TIMEOUT_MS: wholeNumber({ min: 100, max: 3_600_000, default: 30_000 }),
  /**
   * How many bytes the requests with an Idempotency-Key of a day may take in NATS, their answers as many again, and the
   * ids of deliveries to webhooks that want each of them once as many again.
   */
  IDEMPOTENCY_MAX_BYTES: wholeNumber({ min: 65_536, max: 1_099_511_627_776, default: 256 * 1_024 * 1_024 }),
  /** How long a synchronous batch waits for its outcome. */
  SYNC_TIMEOUT_MS: wholeNumber({ min: 1, max: 3_600_000, default: 120_000 }),
  /** Origins that browsers may call from; `*` for any. None turns CORS off. */
  CORS_ORIGINS: commaList(),
  /** Host names under which the gateway answers requests without a credential, beside those of this machine; `*` for any. */
  ALLOWED_HOSTS: commaList().refine(
    (hosts) => hosts.every((host) => host === anyHost || hostNameOf(host) !== undefined),
    'must be host names or addresses, or *',
  ),
  /** Addresses, networks or `loopback`, `linklocal`, `uniquelocal`, whose forwarded headers count. */
  TRUSTED_PROXIES: commaList().refine(
    (proxies) => proxies.every((proxy) => namedNetworks.has(proxy) || isIP(proxy.replace(/\/\d{1,3}$/, '')) !== 0),
    'must be addresses, networks, or loopback, linklocal, uniquelocal',
  ),
  /** Where callers reach this gateway; without it, addresses are made of what each request says. */
  PUBLIC_BASE_URL: z
    .string()
    .refine(isBaseUrl, 'must be an address of http or https without query, fragment and credentials')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  /** Opens the secrets that signatures of webhook calls are checked with, and seals answers to requests with an Idempotency-Key. */
  SECRETS_KEY: secretsKey.optional(),
  /** Whether the memory calls want a credential. */
  MEMORY_AUTH: z.enum(['optional', 'required']).default('optional'),
  /** By which tokens of users are verified (HS256). */
  JWT_SECRET: z
    .string()
    .refine((secret) => Buffer.byteLength(secret) >= minSecretBytes, `must be ${minSecretBytes} bytes or more`)
    .refine(
      (secret) => new Set(secret).size >= minSecretCharacters,
      `has fewer than ${minSecretCharacters} different characters, so it is easily guessed; make one with: openssl rand -hex 32`,
    )
    .optional(),
  /** Where an identity provider publishes the keys by which its tokens are verified (RS256, ES256). */
  JWT_JWKS_URL: z
    .string()
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an address of http or https')
    .optional(),
  /** What tokens must say about who made them, and for whom; any unless given. */
  JWT_ISSUER: z.string().optional(),
  JWT_AUDIENCE: z.string().optional(),
  /** How many failed credentials an address may send within a minute. */
  AUTH_FAILURE_LIMIT: wholeNumber({ min: 1, max: 1_000_000, default: 600 }),
  LOG_LEVEL: logLevel,
});

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !/[?#@]/.test(text);
}

/**
 * Refuses settings of which each one is fine and which do not go together. Whoever merges the shape of
 * `gatewayConfigSchema` with others has to check the whole by this again.
 */
export function checkTokenSettings(
  settings: Pick<z.output<typeof gatewaySettings>, 'JWT_SECRET' | 'JWT_JWKS_URL' | 'MEMORY_AUTH'>,
  context: z.RefinementCtx,
): void {
  const { JWT_SECRET, JWT_JWKS_URL, MEMORY_AUTH } = settings;
  if (JWT_SECRET !== undefined && JWT_JWKS_URL !== undefined) {
    const message = 'cannot be set together with JWT_SECRET; tokens are verified by one of them';
    context.addIssue({ code: 'custom', path: ['JWT_JWKS_URL'], message });
  }
  if (JWT_SECRET === undefined && JWT_JWKS_URL === undefined && MEMORY_AUTH === 'required') {
    const message = 'is "required", so that JWT_SECRET or JWT_JWKS_URL is needed to verify the tokens of users';
    context.addIssue({ code: 'custom', path: ['MEMORY_AUTH'], message });
  }
}

/** The gateway's part of the environment. */
export const gatewayConfigSchema = gatewaySettings.superRefine(checkTokenSettings);

export type GatewayConfig = Readonly<z.output<typeof gatewayConfigSchema>>;

/**
 * Where requests without a credential may be sent to: undefined where every request needs one. Whoever sets `HOST` or
 * `PUBLIC_BASE_URL` wants to be reached there.
 */
export function openHostsOf(config: GatewayConfig): readonly string[] | undefined {
  if (config.MEMORY_AUTH === 'required') return undefined;
  const own = config.PUBLIC_BASE_URL === undefined ? undefined : URL.parse(config.PUBLIC_BASE_URL)?.host;
  const listening = isIP(config.HOST) === 6 ? `[${config.HOST}]` : config.HOST;
  const isWildcard = config.HOST === '0.0.0.0' || config.HOST === '::';
  return [...config.ALLOWED_HOSTS, ...(own === undefined ? [] : [own]), ...(isWildcard ? [] : [listening])];
}
