import { gateway, keys, signInPath, WireError } from '@mneme/contracts';
import { mintToken } from '@mneme/local-stack';
import { closeNats, connectNats, createClient, type Logger } from '@mneme/service-kit';
import pRetry from 'p-retry';
import { v7 as uuidv7 } from 'uuid';
import { firstUserId, type StartConfig } from './config.ts';

/** How long the printed token is good for, in days. */
export const tokenDays = 30;
const seedTimeoutMs = 30_000;
/** How long a start waits for the users to be read from the log again, after a backup was restored, in milliseconds. */
const longestRebuildMs = 300_000;

interface FirstUser {
  readonly token: string;
  /** The path of the console that signs a browser in as this user, once. */
  readonly signInPath: string;
}

/**
 * Makes sure that the first user has a space with a project, by the command that a user's own first call would be.
 * @returns how that user gets in; undefined when tokens come from an identity provider, who knows the users
 */
export async function seedFirstUser(config: StartConfig, logger: Logger): Promise<FirstUser | undefined> {
  const { JWT_SECRET: secret, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = config;
  if (secret === undefined) return undefined;
  const connection = await connectNats({ url: config.NATS_URL, name: 'start', logger });
  const client = createClient({ connection });
  try {
    const options = { correlationId: uuidv7(), timeoutMs: seedTimeoutMs };
    await pRetry(() => client.request(keys.ensureUser, { userId: firstUserId }, options), {
      retries: Number.POSITIVE_INFINITY,
      factor: 1,
      minTimeout: 500,
      maxRetryTime: longestRebuildMs,
      shouldRetry: ({ error }) => error instanceof WireError && error.code === 'REBUILDING',
    });
    const token = await mintToken({ secret, userId: firstUserId, days: tokenDays, issuer, audience });
    const { code } = await client.request(gateway.createSignInCode, { credential: token }, options);
    return { token, signInPath: signInPath(code) };
  } finally {
    client.close();
    await closeNats(connection);
  }
}
