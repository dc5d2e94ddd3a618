import { createHash } from 'node:crypto';
import {
  agentKey,
  type DocumentList,
  type DocumentReply,
  documentKey,
  maxDocumentIdLength,
  maxDocumentTextMib,
  maxHashedTextMib,
  type memoryQuery,
  type RequestOf,
} from '@mneme/contracts';
import type { Filter } from 'mongodb';
import { DomainError } from '../errors.ts';
import { countBy, literalPattern, totalOf } from '../read-model/mongo-queries.ts';
import type { ReadableRows } from '../read-model/reads.ts';
import { erasedAgents, notRemoved } from '../read-model/removals.ts';
import { documentRowId } from '../read-model/row-ids.ts';
import { type StoredDocument, timestamp, turnIndexes } from '../read-model/rows.ts';
import { inSnapshot, type Snapshot } from '../read-model/snapshot.ts';

type DocumentRef = RequestOf<typeof memoryQuery.findDocument>;

/** A page of an agent's documents, newest first; `q` matches a part of the id and ignores its case. */
export async function listDocuments(
  readable: ReadableRows,
  query: RequestOf<typeof memoryQuery.listDocuments>,
): Promise<DocumentList> {
  const { limit, offset, q } = query;
  const key = agentKey(query);
  return inSnapshot(readable, { space: query.space, agentKey: key }, async (snapshot) => {
    const { collections, removals, session } = snapshot;
    if (erasedAgents(removals).includes(key)) return { items: [], total: 0, limit, offset };
    const filter = { agentKey: key, isDeleted: false, ...idContains(q) };
    const options = { session, sort: { createdAt: -1, _id: 1 }, skip: offset, limit } as const;
    const rows = await collections.documents.find(filter, options).toArray();
    const total = await totalOf(rows, { limit, offset }, () =>
      collections.documents.countDocuments(filter, { session }),
    );
    const units = { agentKey: key, documentKey: { $in: rows.map((row) => row.documentKey) }, ...notRemoved(removals) };
    const counts = await countBy(collections.units, units, 'documentKey', { session });
    const lengths = await appendedLengths(snapshot, rows);
    const items = rows.map((row) => ({
      ...commonFields(row, query.agentId, counts.get(row.documentKey) ?? 0),
      content_hash: row.isAppended ? null : row.contentHash,
      text_length: lengths.get(row._id) ?? row.textLength,
    }));
    return { items, total, limit, offset };
  });
}

/**
 * A document with its text, or with the hash of its text alone.
 * @throws DomainError `document-not-found`, `document-too-long` when the text is longer than is sent or hashed
 */
export async function getDocument(
  readable: ReadableRows,
  ref: RequestOf<typeof memoryQuery.getDocument>,
): Promise<DocumentReply> {
  return ofDocument(readable, ref, async (snapshot, found) => {
    if (!found) throw new DomainError('document-not-found');
    const hash = createHash('sha256');
    const texts: string[] = [];
    for await (const text of piecesOf(snapshot, found, ref.withoutText ? maxHashedTextMib : maxDocumentTextMib)) {
      hash.update(text, 'utf8');
      if (!ref.withoutText) texts.push(text);
    }
    const count = await countUnits(snapshot, found);
    const original_text = texts.join('');
    return { ...commonFields(found, ref.agentId, count), content_hash: hash.digest('hex'), original_text };
  });
}

/** When the version of a document was submitted, or the document deleted, that has replaced what a batch has stored; else null. */
export async function supersededBy(
  { collections }: Pick<ReadableRows, 'collections'>,
  { space, operationId }: RequestOf<typeof memoryQuery.supersededBy>,
): Promise<number | null> {
  const ofBatch = { documentId: 1, agentKey: 1, submittedSequence: 1 };
  const batch = await collections.operations.findOne({ _id: operationId, space }, { projection: ofBatch });
  if (!batch || batch.documentId === null) return null;
  const _id = documentRowId(batch.agentKey, documentKey(batch.documentId));
  const document = await collections.documents.findOne({ _id }, { projection: { submittedSequence: 1 } });
  const by = document?.submittedSequence ?? 0;
  return by > batch.submittedSequence ? by : null;
}

/**
 * The text of a document in pieces. A text that is sent is made and read as JSON in one go, which takes the services a tenth
 * of a second for 6 MiB of line breaks.
 * @throws DomainError `document-too-long` when it is longer
 */
async function* piecesOf(
  { collections: { turns }, session }: Snapshot,
  document: StoredDocument,
  maxMib: number,
): AsyncGenerator<string> {
  const maxBytes = maxMib * 1024 * 1024;
  let bytes = 0;
  const rows = turns.find(turnsOf(document), { projection: { text: 1 }, sort: { submitted: 1 }, session });
  for await (const { text } of rows) {
    const separator = bytes === 0 ? '' : '\n';
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxBytes) {
      const message = `The document has more than ${maxBytes} bytes of text; search in it with document_id instead`;
      throw new DomainError('document-too-long', message);
    }
    yield separator + text;
  }
}

/** Earlier turns may still be stored until their removal is done. */
function turnsOf({ agentKey, documentKey, submittedSequence }: StoredDocument) {
  return { agentKey, documentKey, submitted: { $gte: submittedSequence } };
}

/** The lengths of the documents that were appended to, by their row ids. */
async function appendedLengths(
  { collections: { turns }, session }: Snapshot,
  rows: readonly StoredDocument[],
): Promise<ReadonlyMap<string, number>> {
  const lengths = new Map<string, number>();
  for (const document of rows.filter(({ isAppended }) => isAppended)) {
    // Turns are joined by newlines.
    const length = { $sum: { $add: ['$textLength', 1] } };
    const groups = turns.aggregate<{ length: number }>(
      [{ $match: turnsOf(document) }, { $group: { _id: null, length } }],
      { hint: turnIndexes.ofDocument, session },
    );
    lengths.set(document._id, ((await groups.next())?.length ?? 1) - 1);
  }
  return lengths;
}

/** How many units a document has: none while its first version is being stored; null when there is no such document. */
export async function findDocument(readable: ReadableRows, ref: DocumentRef): Promise<{ unitCount: number | null }> {
  return ofDocument(readable, ref, async (snapshot, found) => {
    if (found) return { unitCount: await countUnits(snapshot, found) };
    return { unitCount: (await isBeingStored(snapshot, ref)) ? 0 : null };
  });
}

/** Whether a document that is not there will be: a batch was submitted for it, after it was last deleted, and is not settled. */
async function isBeingStored({ collections, removals, session }: Snapshot, ref: DocumentRef): Promise<boolean> {
  const key = agentKey(ref);
  if (erasedAgents(removals).includes(key)) return false;
  // Has a row as soon as something was submitted for it.
  const document = await collections.documents.findOne(
    { _id: documentRowId(key, documentKey(ref.documentId)) },
    { session },
  );
  if (!document) return false;
  const batch = await collections.operations.findOne(
    {
      agentKey: key,
      status: { $in: ['pending', 'processing'] },
      submittedSequence: { $gt: document.submittedSequence },
      documentId: ref.documentId,
    },
    { projection: { _id: 1 }, session },
  );
  return batch !== null;
}

/** MongoDB limits the length of a pattern. */
function idContains(part: string | undefined): Filter<StoredDocument> {
  if (!part) return {};
  if (part.length > 2 * maxDocumentIdLength) return { documentId: { $in: [] } };
  return { documentId: { $regex: literalPattern(part), $options: 'i' } };
}

/** Reads a document, and what `read` reads beside it at the same moment. */
function ofDocument<T>(
  readable: ReadableRows,
  ref: DocumentRef,
  read: (snapshot: Snapshot, found: StoredDocument | null) => Promise<T>,
): Promise<T> {
  const of = { space: ref.space, agentKey: agentKey(ref) };
  return inSnapshot(readable, of, async (snapshot) => read(snapshot, await findStored(snapshot, ref)));
}

async function findStored(
  { collections, removals, session }: Snapshot,
  ref: DocumentRef,
): Promise<StoredDocument | null> {
  const key = agentKey(ref);
  if (erasedAgents(removals).includes(key)) return null;
  const _id = documentRowId(key, documentKey(ref.documentId));
  return collections.documents.findOne({ _id, isDeleted: false }, { session });
}

function countUnits(
  { collections, removals, session }: Snapshot,
  { agentKey, documentKey }: StoredDocument,
): Promise<number> {
  return collections.units.countDocuments({ agentKey, documentKey, ...notRemoved(removals) }, { session });
}

function commonFields(document: StoredDocument, agentId: string, unitCount: number) {
  return {
    id: document.documentId,
    agent_id: agentId,
    content_hash: document.contentHash,
    created_at: timestamp(document.createdAt),
    updated_at: timestamp(document.updatedAt),
    memory_unit_count: unitCount,
  };
}
