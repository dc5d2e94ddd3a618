import { type MongoClient, MongoStalePrimaryError, type ServerDescription } from 'mongodb';

/** A member that is not the primary any more may take itself for it for ten seconds. */
const replacedAfterMs = 15_000;

/**
 * Resolves when another replica set has the name and the addresses of the one that a client knows, such as a new one after its
 * volume was lost, or one of a backup. It counts its elections anew, so that the driver takes its primary for a former one,
 * for as long as there is this client. A process that finds the same set again needs none of this.
 * @param afterMs how long no other primary is found before that is certain
 */
export function replacedSet(client: MongoClient, afterMs = replacedAfterMs): Promise<void> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    client.on('topologyDescriptionChanged', ({ newDescription }) => {
      if (hasOnlyStalePrimary([...newDescription.servers.values()])) {
        timer ??= setTimeout(resolve, afterMs).unref();
        return;
      }
      clearTimeout(timer);
      timer = undefined;
    });
  });
}

function hasOnlyStalePrimary(servers: readonly ServerDescription[]): boolean {
  return (
    servers.some(({ error }) => error instanceof MongoStalePrimaryError) &&
    servers.every(({ type }) => type !== 'RSPrimary')
  );
}
