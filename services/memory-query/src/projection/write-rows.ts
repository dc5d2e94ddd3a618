import type { AnyClientBulkWriteModel, ClientSession, Collection, MongoClient } from 'mongodb';
import type { MemoryCollections } from '../read-model/collections.ts';
import type { WorkingSet } from './working-set.ts';

/** As far as the rows of all collections are alike. */
interface Row {
  readonly _id: string;
  readonly [field: string]: unknown;
}

type RowWrite = AnyClientBulkWriteModel<Row> & { namespace: string };

/** Writes what the fold has left in the set, in the transaction of the session; all in one command, which is one round trip. */
export async function writeRows(
  client: MongoClient,
  { units, documents, operations, agents }: MemoryCollections,
  set: WorkingSet,
  session: ClientSession,
): Promise<void> {
  const gone: object[] = ofDocuments(set.replacedDocuments);
  if (set.goneUnits.size > 0) gone.push({ _id: { $in: [...set.goneUnits] } });
  const inserted = [...set.newUnits.values()].map(({ unit }) => unit);
  const writes: RowWrite[] = [
    ...replacements(agents, set.agents),
    ...replacements(operations, set.operations),
    ...replacements(documents, set.documents),
    ...(gone.length > 0 ? [{ name: 'deleteMany' as const, namespace: units.namespace, filter: { $or: gone } }] : []),
    ...inserted.map((unit) => ({ name: 'insertOne' as const, namespace: units.namespace, document: { ...unit } })),
  ];
  // In this order: what is to go goes before anything is inserted.
  if (writes.length > 0) await client.bulkWrite<Record<string, Row>>(writes, { session, ordered: true });
}

/** Rows are named by `<agentKey>:<documentKey>`; their units hold the two apart. */
export function ofDocuments(rowIds: ReadonlySet<string>): { agentKey: string; documentKey: string }[] {
  return [...rowIds].map((id) => {
    const [agentKey = '', documentKey = ''] = id.split(':');
    return { agentKey, documentKey };
  });
}

function replacements<T extends { _id: string }>(
  { namespace }: Collection<T>,
  rows: ReadonlyMap<string, T>,
): RowWrite[] {
  return [...rows.values()].map(({ _id, ...replacement }) => {
    return { name: 'replaceOne', namespace, filter: { _id }, replacement, upsert: true };
  });
}
