import type { Collection, Filter } from 'mongodb';
import type { StoredCall } from './collections.ts';

const atOnce = 2_000;

/**
 * Takes the logs of a deleted webhook out, some at a time. Those that became rows stay, as rows only.
 * @param except calls that the events of the same batch are about, which know better what becomes of them.
 */
export async function removeLogs(
  calls: Collection<StoredCall>,
  webhookId: number,
  except: readonly number[],
): Promise<void> {
  const others: Filter<StoredCall> = { webhookId, _id: { $nin: except } };
  for (;;) {
    const found = await calls
      .find(others, { projection: { tableId: 1 } })
      .limit(atOnce)
      .toArray();
    if (found.length === 0) return;
    const idsOf = (some: typeof found) => ({ _id: { $in: some.map(({ _id }) => _id) } });
    const logs = found.filter(({ tableId }) => tableId === undefined);
    const rows = found.filter(({ tableId }) => tableId !== undefined);
    if (logs.length > 0) await calls.deleteMany(idsOf(logs));
    if (rows.length > 0) await calls.updateMany(idsOf(rows), { $unset: { webhookId: '' } });
  }
}
