import { accessEvents, accessStream } from '@mneme/contracts';
import { connectEventStore, connectMongo, ensureDeadLetterStream, ensureStream } from '@mneme/event-store';
import { measureReadModels } from '@mneme/read-models';
import { type Check, type ServiceProcess, startService } from '@mneme/service-kit';
import type { KeysConfig } from './config.ts';
import { refusalReply } from './errors.ts';
import { newKey } from './key/commands.ts';
import { createKeys } from './service.ts';

/** Starts the keys service on a connection, which stays open when it is stopped. */
export async function startKeys(config: KeysConfig, { connection, logger, metrics }: ServiceProcess) {
  const replicas = config.STREAM_REPLICAS;
  await ensureStream(connection, { ...accessStream, replicas });
  await ensureDeadLetterStream(connection, replicas);
  const name = 'keys';
  const store = connectEventStore({ connection, stream: accessStream.name, catalog: accessEvents, source: name });
  const client = await connectMongo(config.MONGODB_URL);
  const db = client.db(config.MONGODB_DATABASE);
  const service = startService({ connection, name, logger, metrics, mapError: refusalReply });
  const keys = await createKeys({
    connection,
    store,
    service,
    client,
    db,
    replicas,
    newKey,
    logger,
    policy: config.ACCESS_POLICY,
    clock: () => new Date(),
  });
  service.announce();
  logger.info({ policy: config.ACCESS_POLICY }, 'keys is ready');
  if (config.ACCESS_POLICY === 'spec') {
    logger.warn(
      'ACCESS_POLICY is "spec": any user may list and create keys in every project that they can name. Set it to "strict" where there is more than one user',
    );
  }
  const checks: Record<string, Check> = {
    nats: async () => (await store.head()) >= 0,
    mongodb: async () => (await db.command({ ping: 1 })).ok === 1,
    ...Object.fromEntries(keys.readModels.map((each) => [each.name, () => each.readiness()])),
  };
  const measuring = measureReadModels(metrics, keys.readModels);
  return {
    checks,
    stop: async () => {
      await service.stop();
      measuring.stop();
      await keys.stop();
      await client.close();
    },
  };
}
