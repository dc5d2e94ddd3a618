import { queryConcurrency } from '@mneme/read-models';
import { accessPolicy, itemsPerUser, mongodbUrl, secretsKey, serviceSettings, wholeNumber } from '@mneme/service-kit';
import { defaultThreads } from '@mneme/workers';
import { z } from 'zod';

/** The part of the environment that the webhook service reads. */
export const webhookConfigSchema = z.object({
  ...serviceSettings,
  MONGODB_URL: mongodbUrl,
  /** May be the database of another service, because the collections of this one have names of their own. */
  MONGODB_DATABASE: z.string().min(1).default('mneme_webhooks'),
  /** `spec`: a user may manage what is in their own spaces and in all personal ones. `strict`: in their own only. */
  ACCESS_POLICY: accessPolicy,
  /** Seals the tokens and secrets of webhooks. */
  SECRETS_KEY: secretsKey,
  QUERY_CONCURRENCY: queryConcurrency,
  ITEMS_PER_USER: itemsPerUser,
  /** Threads that read long payloads. */
  PAYLOAD_THREADS: wholeNumber({ min: 1, max: 64, default: defaultThreads }),
});

export type WebhookConfig = Readonly<z.output<typeof webhookConfigSchema>>;
