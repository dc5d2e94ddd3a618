import type { GiveWay } from '@mneme/read-models';
import { chunks } from '@mneme/workers/chunks';
import { type AnyClientBulkWriteModel, Binary, type ClientSession, type Collection, type MongoClient } from 'mongodb';
import { entitiesWithout } from '../entities/entity-book.ts';
import type { NewLink } from '../links/derive-links.ts';
import { linkRows } from '../read-model/link-rows.ts';
import type { Link, MemoryCollections, StoredOperation, StoredUnit } from '../read-model/rows.ts';
import type { WorkingSet } from '../read-model/working-set.ts';
import type { Derived } from './derive.ts';

/** What the rows of all collections have in common. */
interface Row {
  readonly _id: string;
  readonly [field: string]: unknown;
}

type RowWrite = AnyClientBulkWriteModel<Row> & { namespace: string };

/** How many writes are encoded at a time, which blocks the event loop for about 5 ms. */
const writesAtOnce = 150;
/** The same of a batch that gives way to questions: MongoDB is busy with these for a few tens of milliseconds. */
const writesPerStep = 60;

export interface RowWriter {
  readonly client: MongoClient;
  readonly collections: MemoryCollections;
  /** Of the batch. */
  readonly giveWay?: GiveWay | undefined;
}

/** Writes what follows from a batch of events, in the transaction of the session and in as few round trips as possible. */
export async function writeRows(
  { client, collections, giveWay }: RowWriter,
  { set, derived }: { readonly set: WorkingSet; readonly derived: Derived },
  session: ClientSession,
): Promise<void> {
  const { agents, operations, documents, turns } = collections;
  const counts = await linkCountChanges(collections, derived.links, set.goneUnits, session);
  // In this order, because rows have to be removed before new ones are inserted.
  const writes: RowWrite[] = [
    ...deletions(collections, set),
    ...replacements(agents, changed(set, set.agents)),
    ...operationUpdates(operations, changed(set, set.operations)),
    ...replacements(documents, changed(set, set.documents)),
    ...replacements(turns, set.newTurns),
    ...[...set.turnFacts].map(([_id, facts]) => update('updateOne', turns, { _id }, { $set: { facts } })),
    ...insertions(collections, set, derived),
    ...[...counts].map(([_id, changes]) => upsert(collections.linkCounts, { _id }, { $inc: changes })),
  ];
  for (const some of chunks(writes, giveWay ? writesPerStep : writesAtOnce)) {
    await giveWay?.();
    await client.bulkWrite<Record<string, Row>>(some, { session, ordered: true });
  }
}

function deletions(collections: MemoryCollections, { goneUnits, goneTurns }: WorkingSet): RowWrite[] {
  const { units, turns, links, entities } = collections;
  const ofTurns = goneTurns.map(({ before, ...ofDocument }): RowWrite => {
    return { name: 'deleteMany', namespace: turns.namespace, filter: { ...ofDocument, submitted: { $lt: before } } };
  });
  if (goneUnits.size === 0) return ofTurns;
  const gone = { $in: [...goneUnits] };
  const { forgotten, affected, change } = entitiesWithout(goneUnits);
  return [
    ...ofTurns,
    { name: 'deleteMany', namespace: units.namespace, filter: { _id: gone } },
    { name: 'deleteMany', namespace: links.namespace, filter: { _id: gone } },
    update('updateMany', links, { 'links.from': gone }, { $pull: { links: { from: gone } } }),
    { name: 'deleteMany', namespace: entities.namespace, filter: forgotten },
    update('updateMany', entities, affected, change),
  ];
}

function insertions(
  { units, links, entities }: MemoryCollections,
  { newUnits, lateVectors, confidences, unitsWithNewPassage }: WorkingSet,
  derived: Derived,
): RowWrite[] {
  const insert = (namespace: string, document: object): RowWrite => {
    return { name: 'insertOne', namespace, document: { ...document } as Row };
  };
  return [
    ...[...newUnits.values()].map(({ unit, vector }) => {
      return insert(units.namespace, { ...unit, vector: toBinary(vector) } satisfies StoredUnit);
    }),
    ...[...lateVectors].flatMap(([_id, { unit, vector }]) => {
      return unit ? [update('updateOne', units, { _id }, { $set: { vector: toBinary(vector) } })] : [];
    }),
    ...[...derived.repetitions].map(([_id, mentions]) => update('updateOne', units, { _id }, { $inc: { mentions } })),
    ...[...confidences].map(([_id, confidence]) => update('updateOne', units, { _id }, { $set: { confidence } })),
    ...[...unitsWithNewPassage].map(([_id, { unit }]) =>
      update('updateOne', units, { _id }, { $set: { passage: unit.passage } }),
    ),
    ...linkWrites(links, newUnits, derived.links),
    ...replacements(entities, derived.entities.changed),
  ];
}

/** The links of new units are new rows; those that follow from a later vector are added to the row of the newer unit. */
function linkWrites(
  rows: MemoryCollections['links'],
  newUnits: WorkingSet['newUnits'],
  links: readonly NewLink[],
): RowWrite[] {
  const byAgent = [...Map.groupBy(links, ({ agentKey }) => agentKey)];
  return byAgent.flatMap(([agentKey, ofAgent]) =>
    linkRows(agentKey, ofAgent).map((row): RowWrite => {
      if (newUnits.has(row._id)) return { name: 'insertOne', namespace: rows.namespace, document: { ...row } };
      const added = { $push: { links: { $each: row.links } }, $setOnInsert: { agentKey } };
      return upsert(rows, { _id: row._id }, added);
    }),
  );
}

function toBinary(base64: string): Binary {
  return new Binary(Buffer.from(base64, 'base64'));
}

/** The driver's types accept no operators on the fields of `Row`. */
function update(
  name: 'updateOne' | 'updateMany',
  { namespace }: { readonly namespace: string },
  filter: object,
  operators: object,
): RowWrite {
  return { name, namespace, filter, update: operators } as unknown as RowWrite;
}

function upsert(collection: { readonly namespace: string }, filter: object, operators: object): RowWrite {
  return { ...update('updateOne', collection, filter, operators), upsert: true } as RowWrite;
}

function replacements<T extends { _id: string }>(
  { namespace }: Collection<T>,
  rows: ReadonlyMap<string, T>,
): RowWrite[] {
  return [...rows.values()].map(({ _id, ...replacement }) => {
    return { name: 'replaceOne', namespace, filter: { _id }, replacement, upsert: true };
  });
}

function changed<T extends object>({ read }: WorkingSet, rows: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map([...rows].filter(([, row]) => !read.has(row)));
}

/** A text that was not read stays as it is. */
function operationUpdates(
  operations: MemoryCollections['operations'],
  rows: ReadonlyMap<string, StoredOperation>,
): RowWrite[] {
  return [...rows.values()].map(({ _id, pendingText, ...fields }) => {
    const text = pendingText === undefined ? {} : { pendingText };
    return upsert(operations, { _id }, { $set: { ...fields, ...text } });
  });
}

/** The changes of agents' link counts, by agent key. */
type LinkCountChanges = ReadonlyMap<string, Record<Link['type'], number>>;

/**
 * Counts the added and the removed links; counting an agent's millions of links at each question would take a second.
 * @param gone units whose links are removed; in the session's transaction they are still stored
 */
async function linkCountChanges(
  collections: MemoryCollections,
  added: readonly NewLink[],
  gone: ReadonlySet<string>,
  session: ClientSession,
): Promise<LinkCountChanges> {
  const changes = new Map<string, Record<Link['type'], number>>();
  const count = (agentKey: string, type: Link['type'], by: number) => {
    const counts = changes.get(agentKey) ?? { temporal: 0, semantic: 0, entity: 0 };
    changes.set(agentKey, { ...counts, [type]: counts[type] + by });
  };
  for (const { agentKey, type } of added) count(agentKey, type, 1);
  for (const { _id, links } of await countLinksOf(collections, gone, session)) count(_id.agentKey, _id.type, -links);
  return changes;
}

interface LinkGroup {
  readonly _id: Pick<NewLink, 'agentKey' | 'type'>;
  readonly links: number;
}

async function countLinksOf({ links }: MemoryCollections, unitIds: ReadonlySet<string>, session: ClientSession) {
  if (unitIds.size === 0) return [];
  const among = { $in: [...unitIds] };
  const stages = [
    { $match: { $or: [{ _id: among }, { 'links.from': among }] } },
    { $unwind: '$links' },
    { $match: { $or: [{ _id: among }, { 'links.from': among }] } },
    { $group: { _id: { agentKey: '$agentKey', type: '$links.type' }, links: { $sum: 1 } } },
  ];
  return links.aggregate<LinkGroup>(stages, { session }).toArray();
}
