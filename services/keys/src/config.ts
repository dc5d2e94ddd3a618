import { accessPolicy, itemsPerUser, mongodbUrl, serviceSettings } from '@mneme/service-kit';
import { z } from 'zod';

/** The part of the environment that the keys service reads. */
export const keysConfigSchema = z.object({
  ...serviceSettings,
  MONGODB_URL: mongodbUrl,
  /** May be the database of another service, because the collections of this one have names of their own. */
  MONGODB_DATABASE: z.string().min(1).default('mneme_access'),
  /**
   * `spec`: any user who knows a project may list and create the keys of its space. `strict`: only the owner of the space
   * may.
   */
  ACCESS_POLICY: accessPolicy,
  ITEMS_PER_USER: itemsPerUser,
});

export type KeysConfig = Readonly<z.output<typeof keysConfigSchema>>;
