import { liveVersion, switchLive } from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import { memoryReadModel, openReadModel, type ReadModel, type ReadModelStores } from './open-read-model.ts';
import { embeddingModelOf } from './versions.ts';

/** Tells which version answers. */
export interface LiveReadModel {
  current(): ReadModel;
}

/**
 * Lets the live version answer until `filling` has caught up, then switches to it. The first version ever is live at once.
 * @param caughtUp resolves when `filling` holds everything that the log held at the start
 */
export async function serveLive(
  stores: ReadModelStores,
  filling: ReadModel,
  caughtUp: () => Promise<void>,
  logger: Logger,
): Promise<LiveReadModel> {
  const live = await liveVersion(stores.db, memoryReadModel);
  if (live === undefined) await switchLive(stores.db, memoryReadModel, undefined, filling.version);
  if (live === undefined || live === filling.version) return { current: () => filling };
  if ((await embeddingModelOf(stores.db, memoryReadModel, live)) !== stores.embeddings.name) {
    // Questions are embedded by the new model, which the vectors of the old version cannot be compared with.
    logger.info({ from: live, to: filling.version }, 'Waiting until the read model is filled with the new vectors');
    await caughtUp();
    await switchLive(stores.db, memoryReadModel, live, filling.version);
    return { current: () => filling };
  }
  let current = await openReadModel(stores, live);
  void caughtUp()
    .then(() => switchLive(stores.db, memoryReadModel, live, filling.version))
    .then(
      () => {
        current = filling;
        logger.info({ from: live, to: filling.version }, 'Switched to the new version of the read model');
      },
      (error: unknown) => logger.error({ err: error }, 'Could not switch to the new version of the read model'),
    );
  return { current: () => current };
}
