import { accessEvents, accessStream } from '@mneme/contracts';
import { connectEventStore } from '@mneme/event-store';
import { readinessOf, startReadModelService } from '@mneme/read-models';
import type { ServiceProcess } from '@mneme/service-kit';
import type { KeysConfig } from './config.ts';
import { refusalReply } from './errors.ts';
import { newKey } from './key/commands.ts';
import { createKeys } from './service.ts';

/** Starts the keys service on a connection, which stays open when it is stopped. */
export function startKeys(config: KeysConfig, process: ServiceProcess) {
  const name = 'keys';
  const { ACCESS_POLICY: policy, ITEMS_PER_USER: itemsPerUser } = config;
  return startReadModelService(
    { ...process, name, config, streams: [accessStream], mapError: refusalReply },
    async (opened) => {
      const { connection, logger } = opened;
      const store = connectEventStore({ connection, stream: accessStream.name, catalog: accessEvents, source: name });
      const keys = await createKeys({ ...opened, store, newKey, policy, itemsPerUser, clock: () => new Date() });
      if (policy === 'spec') {
        logger.warn(
          'ACCESS_POLICY is "spec": any user may list and create keys in every project that they can name. Set it to "strict" where there is more than one user',
        );
      }
      return { ...keys, store, checks: readinessOf(keys.readModels), about: { policy } };
    },
  );
}
