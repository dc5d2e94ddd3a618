import { keys } from '@mneme/contracts';
import { mintToken } from '@mneme/local-stack';
import { closeNats, connectNats, createClient, type Logger } from '@mneme/service-kit';
import { v7 as uuidv7 } from 'uuid';
import type { StartConfig } from './config.ts';

/** The user of the person who starts Mneme on their own machine. */
const firstUserId = 1;
/** How long the printed token is good for, in days. */
export const tokenDays = 30;
const seedTimeoutMs = 30_000;

/**
 * Makes sure that the first user has a space with a project, by the command that a user's own first call would be.
 * @returns a token for that user; undefined when tokens come from an identity provider, who knows the users
 */
export async function seedFirstUser(config: StartConfig, logger: Logger): Promise<string | undefined> {
  const { JWT_SECRET: secret, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = config;
  if (secret === undefined) return undefined;
  const connection = await connectNats({ url: config.NATS_URL, name: 'start', logger });
  const client = createClient({ connection });
  try {
    const options = { correlationId: uuidv7(), deadlineMs: seedTimeoutMs };
    await client.request(keys.ensureUser, { userId: firstUserId }, options);
  } finally {
    client.close();
    await closeNats(connection);
  }
  return mintToken({ secret, userId: firstUserId, days: tokenDays, issuer, audience });
}
