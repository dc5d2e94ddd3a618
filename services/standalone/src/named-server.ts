import { WireError } from '@mneme/contracts';
import { configuredMaxStoreBytes, type Server, type Stack } from '@mneme/local-stack';
import { isNatsFull, messageOf } from '@mneme/service-kit';

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
 * @throws ServerRefusalError when the error is one of a server, which it names with its folder, or means that NATS may
 * store no more; other errors as they are
 */
export async function namingServers<T>(servers: Stack['servers'], start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (isNatsFull(error)) throw await natsFull(servers.nats, error);
    const name = serverOf(error);
    if (!name) throw error;
    const { folder } = servers[name];
    throw new ServerRefusalError(`${name}${folder === undefined ? '' : ` in ${folder}`}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** @param error also one that a service has answered with */
async function natsFull({ folder }: Server, error: unknown): Promise<ServerRefusalError> {
  const limitBytes = folder === undefined ? undefined : await configuredMaxStoreBytes(folder);
  const limit = limitBytes === undefined ? '' : ` than ${Math.ceil(limitBytes / 1024 ** 2)} MiB`;
  // What a service has answered says no more than this.
  const reason = error instanceof WireError ? '' : ` (${messageOf(error)})`;
  const repair =
    folder === undefined
      ? 'Raise its limit (NATS_MAX_FILE_STORE, or max_file_store of NATS)'
      : `Make room on the disk of ${folder}, or set NATS_MAX_FILE_STORE to more, such as 40GB`;
  return new ServerRefusalError(
    `NATS may store no more${limit}${reason}. ${repair}, and start again. ` +
      'See docs/operating/storage-nearly-full.md.',
    { cause: error },
  );
}

function serverOf(error: unknown): keyof Stack['servers'] | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name } = error;
  return (['nats', 'mongod', 'qdrant'] as const).find((server) => namesOfErrors[server].test(name));
}
