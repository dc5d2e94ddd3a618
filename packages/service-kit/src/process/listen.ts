import type { Server } from 'node:http';
import type { ListenOptions } from 'node:net';

/** An address cannot be listened on. */
class ListenError extends Error {
  override readonly name = 'ListenError';
}

/**
 * Lets a server listen.
 * @param named the address, as operators know it, such as `HEALTH_PORT 9090`
 * @throws ListenError when the address is in use, may not be used, or is not one of this machine
 */
export async function startListening(server: Server, address: ListenOptions, named: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(address, resolve);
  try {
    await promise;
  } catch (error) {
    const isInUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    const reason = isInUse ? 'is in use: end what uses it, or set another port' : 'cannot be listened on';
    throw new ListenError(`${named} ${reason}`, { cause: error });
  }
}
