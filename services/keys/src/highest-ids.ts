import { accessStream, accessSubjects, type IdKind, idKinds } from '@mneme/contracts';
import type { HighestIds } from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import type { Collection, Db } from 'mongodb';
import type { KeysDeps } from './deps.ts';

interface StoredHighest {
  readonly _id: IdKind;
  readonly highest: number;
}

/**
 * Keeps the highest ids of each kind in MongoDB. A space of an older `ACCESS` that is restored beside a newer `MEMORY` would
 * otherwise be given to another user, with the memories in it; subjects of `MEMORY` do not tell their space.
 */
export async function openHighestIds(
  db: Db,
  store: Pick<KeysDeps['store'], 'last'>,
  logger: Pick<Logger, 'error'>,
): Promise<HighestIds> {
  const rows: Collection<StoredHighest> = db.collection('access_highest_ids');
  const highest: HighestIds = {
    of: async (kind) => (await rows.findOne({ _id: kind }))?.highest ?? 0,
    raise: async (kind, id) => void (await rows.updateOne({ _id: kind }, { $max: { highest: id } }, { upsert: true })),
  };
  for (const kind of idKinds) {
    // In this order: another instance may take an id meanwhile, first in the log.
    const givenOut = await highest.of(kind);
    const last = await store.last(accessSubjects.numbers(kind));
    const inLog = last?.type === 'NumberTaken' ? last.data.number : 0;
    if (givenOut > inLog)
      logger.error(
        { kind, inLog, givenOut },
        `The stream ${accessStream.name} is older than the database: it does not know all ids that were given out. They are not given out again. The next ${kind} that is made ends this message`,
      );
    if (inLog > givenOut) await highest.raise(kind, inLog);
  }
  return highest;
}
