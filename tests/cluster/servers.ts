import type { Server } from '@mneme/local-stack';
import { qdrantDefinition } from '@mneme/local-stack/testing';
import { inOneFolder } from './create-server.ts';
import { replicaSetUrl, startReplicaSet } from './mongo-replica-set.ts';
import { type NatsMember, startNatsCluster } from './nats-cluster.ts';

/** Three NATS servers, a replica set of three, and one Qdrant. */
export interface Servers {
  readonly nats: readonly NatsMember[];
  readonly mongod: readonly Server[];
  readonly qdrant: Server;
  /** The variables by which services reach all of them. */
  readonly settings: Readonly<Record<'NATS_URL' | 'MONGODB_URL' | 'QDRANT_URL', string>>;
}

const secret = 'by-this-the-members-of-the-cluster-know-each-other';

/** Starts the servers in a folder of their own. @param closing is told how to end them and to remove it */
export async function startServers(closing: AsyncDisposableStack): Promise<Servers> {
  const create = await inOneFolder(closing);
  const qdrant = await create({ name: 'qdrant', definition: qdrantDefinition });
  const [nats, mongod] = await Promise.all([
    startNatsCluster(secret, create),
    startReplicaSet(secret, create),
    qdrant.start(),
  ]);
  const settings = {
    NATS_URL: nats.map(({ server }) => server.url).join(','),
    MONGODB_URL: replicaSetUrl(mongod, secret),
    QDRANT_URL: qdrant.url,
  };
  return { nats, mongod, qdrant, settings };
}
