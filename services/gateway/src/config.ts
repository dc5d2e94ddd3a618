import { isIP } from 'node:net';
import { commaList, logLevel, natsUrl, wholeNumber } from '@mneme/service-kit';
import { z } from 'zod';

const namedNetworks = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** The gateway's part of the environment. */
export const gatewayConfigSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  /** 0 takes a free port. */
  PORT: wholeNumber({ min: 0, max: 65_535, default: 8080 }),
  NATS_URL: natsUrl,
  /** How many servers keep the event log: 1, 3 or 5. */
  STREAM_REPLICAS: wholeNumber({ min: 1, max: 5, default: 1 }),
  /** The largest body, in bytes after decompression. */
  BODY_LIMIT: wholeNumber({ min: 1_024, max: 64 * 1_024 * 1_024, default: 5 * 1_024 * 1_024 }),
  /** How long a synchronous batch waits for its outcome. */
  SYNC_TIMEOUT_MS: wholeNumber({ min: 1, max: 3_600_000, default: 120_000 }),
  /** Origins that browsers may call from; `*` for any. None turns CORS off. */
  CORS_ORIGINS: commaList(),
  /** Addresses, networks or `loopback`, `linklocal`, `uniquelocal`, whose forwarded headers count. */
  TRUSTED_PROXIES: commaList().refine(
    (proxies) => proxies.every((proxy) => namedNetworks.has(proxy) || isIP(proxy.replace(/\/\d{1,3}$/, '')) !== 0),
    'must be addresses, networks, or loopback, linklocal, uniquelocal',
  ),
  /** Whether the memory calls want a credential. */
  MEMORY_AUTH: z.enum(['optional', 'required']).default('optional'),
  LOG_LEVEL: logLevel,
});

export type GatewayConfig = Readonly<z.output<typeof gatewayConfigSchema>>;
