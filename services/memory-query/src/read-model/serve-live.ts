import { liveVersion, switchLive } from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import type { Db } from 'mongodb';
import { memoryReadModel, openReadModel, type ReadModel, type ReadModelStores } from './open-read-model.ts';
import { dropRetired, retireVersions } from './retire-versions.ts';
import { embeddingModelOf } from './versions.ts';

/** Tells which version answers. */
export interface LiveReadModel {
  current(): ReadModel;
}

/**
 * Lets the live version answer until `filling` has caught up, then switches to it. The first version ever is live at once.
 * After a switch the version before is kept, to go back to; older ones are taken out.
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
  if (live === undefined || live === filling.version) {
    inBackground(() => dropRetired(stores), logger);
    return { current: () => filling };
  }
  const switchOver = async () => {
    await switchUnlessDone(stores.db, live, filling.version);
    inBackground(() => retireVersions(stores, [live, filling.version]), logger);
  };
  if ((await embeddingModelOf(stores.db, memoryReadModel, live)) !== stores.embeddings.name) {
    // Questions are embedded by the new model, which the vectors of the old version cannot be compared with.
    logger.info({ from: live, to: filling.version }, 'Waiting until the read model is filled with the new vectors');
    await caughtUp();
    await switchOver();
    return { current: () => filling };
  }
  let current = await openReadModel(stores, live);
  void caughtUp()
    .then(switchOver)
    .then(
      () => {
        current = filling;
        logger.info({ from: live, to: filling.version }, 'Switched to the new version of the read model');
      },
      (error: unknown) => logger.error({ err: error }, 'Could not switch to the new version of the read model'),
    );
  return { current: () => current };
}

/** Another instance that fills the same version may have been faster. */
async function switchUnlessDone(db: Db, from: number, to: number): Promise<void> {
  try {
    await switchLive(db, memoryReadModel, from, to);
  } catch (error) {
    if ((await liveVersion(db, memoryReadModel)) !== to) throw error;
  }
}

function inBackground(retire: () => Promise<readonly number[]>, logger: Logger): void {
  retire().then(
    (versions) => {
      if (versions.length > 0) logger.info({ versions }, 'Took out old versions of the read model');
    },
    (error: unknown) =>
      logger.warn({ err: error }, 'Old versions of the read model are left; they go after the next start'),
  );
}
