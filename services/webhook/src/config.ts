import { logLevel, natsUrl, secretsKey, wholeNumber } from '@mneme/service-kit';
import { z } from 'zod';

/**
 * `spec`: whoever is asked for may manage what is in their own spaces and in personal ones. `strict`: in their own only.
 */
export const accessPolicies = ['spec', 'strict'] as const;
export type AccessPolicy = (typeof accessPolicies)[number];

/** The part of the environment that the webhook service reads. */
export const webhookConfigSchema = z.object({
  NATS_URL: natsUrl,
  /** Several hosts are allowed, so only the scheme is checked. */
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/.+/, 'must begin with mongodb:// or mongodb+srv://')
    .default('mongodb://127.0.0.1:27017/?directConnection=true'),
  /** May be that of another service: the collections of this one have names of their own. */
  MONGODB_DATABASE: z.string().min(1).default('mneme_webhooks'),
  /** How many servers keep the event log and the buckets: 1, 3 or 5. */
  STREAM_REPLICAS: wholeNumber({ min: 1, max: 5, default: 1 }),
  ACCESS_POLICY: z.enum(accessPolicies).default('spec'),
  /** What tokens and secrets of webhooks are sealed with. */
  SECRETS_KEY: secretsKey,
  /** Where `/healthz`, `/readyz` and `/metrics` are served when the service runs alone; 0 takes a free port. */
  HEALTH_PORT: wholeNumber({ min: 0, max: 65_535, default: 0 }),
  LOG_LEVEL: logLevel,
});

export type WebhookConfig = Readonly<z.output<typeof webhookConfigSchema>>;
