import type { Stack } from '@mneme/local-stack';
import { messageOf } from '@mneme/service-kit';

/** Whose errors have which names. */
const namesOfErrors = {
  nats: /^JetStream/,
  mongod: /^Mongo/,
  qdrant: /^QdrantClient/,
} as const;

/** A server refused what a service needs to start. */
class ServerRefusalError extends Error {
  override readonly name = 'ServerRefusalError';
}

/**
 * Starts what uses the servers. What a server refuses names neither the server nor its disk, such as "available disk space is
 * less than required".
 * @throws ServerRefusalError when the error is one of a server, which it names with its folder; other errors as they are
 */
export async function namingServers<T>(servers: Stack['servers'], start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const name = serverOf(error);
    if (!name) throw error;
    const { folder } = servers[name];
    throw new ServerRefusalError(`${name}${folder === undefined ? '' : ` in ${folder}`}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function serverOf(error: unknown): keyof Stack['servers'] | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name } = error;
  return (['nats', 'mongod', 'qdrant'] as const).find((server) => namesOfErrors[server].test(name));
}
