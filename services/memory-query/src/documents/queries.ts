import {
  type AgentRef,
  agentKey,
  type DocumentList,
  type DocumentReply,
  documentKey,
  maxDocumentIdLength,
  WireError,
} from '@mneme/contracts';
import type { Filter } from 'mongodb';
import type { ReadableRows } from '../read-model/reads.ts';
import { erasedAgents, notRemoved } from '../read-model/removals.ts';
import { documentRowId, type StoredDocument, timestamp } from '../read-model/rows.ts';

interface DocumentRef extends AgentRef {
  readonly documentId: string;
}

/** A page of an agent's documents, newest first; `q` matches a part of the id and ignores its case. */
export async function listDocuments(
  readable: ReadableRows,
  query: AgentRef & { q?: string | undefined; limit: number; offset: number },
): Promise<DocumentList> {
  const { limit, offset, q } = query;
  const key = agentKey(query);
  const { collections, removals } = readable;
  if (erasedAgents(removals).includes(key)) return { items: [], total: 0, limit, offset };
  const filter = { agentKey: key, isDeleted: false, ...idContains(q) };
  const page = collections.documents
    .find(filter, { projection: { originalText: 0 } })
    .sort({ createdAt: -1, _id: 1 })
    .skip(offset)
    .limit(limit);
  const [rows, total] = await Promise.all([page.toArray(), collections.documents.countDocuments(filter)]);
  const counts = await unitCounts(
    readable,
    key,
    rows.map((row) => row.documentKey),
  );
  const items = rows.map((row) => ({
    ...commonFields(row, query.agentId, counts.get(row.documentKey) ?? 0),
    text_length: row.textLength,
  }));
  return { items, total, limit, offset };
}

/** @throws WireError 404 `Document not found` */
export async function getDocument(readable: ReadableRows, ref: DocumentRef): Promise<DocumentReply> {
  const found = await findStored(readable, ref);
  if (!found) throw new WireError({ status: 404, code: 'NOT_FOUND', message: 'Document not found' });
  const count = await countUnits(readable, found);
  return { ...commonFields(found, ref.agentId, count), original_text: found.originalText };
}

/** How many units a document has; null when there is no such document. */
export async function findDocument(readable: ReadableRows, ref: DocumentRef): Promise<{ unitCount: number | null }> {
  const found = await findStored(readable, ref);
  return { unitCount: found ? await countUnits(readable, found) : null };
}

/** `RegExp.escape` writes escapes that MongoDB does not support, and MongoDB limits the length of a pattern. */
function idContains(part: string | undefined): Filter<StoredDocument> {
  if (!part) return {};
  if (part.length > 2 * maxDocumentIdLength) return { documentId: { $in: [] } };
  const pattern = part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
  return { documentId: { $regex: pattern, $options: 'i' } };
}

async function findStored({ collections, removals }: ReadableRows, ref: DocumentRef): Promise<StoredDocument | null> {
  const key = agentKey(ref);
  if (erasedAgents(removals).includes(key)) return null;
  return collections.documents.findOne({ _id: documentRowId(key, documentKey(ref.documentId)), isDeleted: false });
}

function countUnits(
  { collections, removals }: ReadableRows,
  { agentKey, documentKey }: StoredDocument,
): Promise<number> {
  return collections.units.countDocuments({ agentKey, documentKey, ...notRemoved(removals) });
}

async function unitCounts(
  { collections: { units }, removals }: ReadableRows,
  key: string,
  documentKeys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const groups = await units
    .aggregate<{ _id: string; count: number }>([
      { $match: { agentKey: key, documentKey: { $in: documentKeys }, ...notRemoved(removals) } },
      { $group: { _id: '$documentKey', count: { $sum: 1 } } },
    ])
    .toArray();
  return new Map(groups.map(({ _id, count }) => [_id, count]));
}

function commonFields(document: Omit<StoredDocument, 'originalText'>, agentId: string, unitCount: number) {
  return {
    id: document.documentId,
    agent_id: agentId,
    content_hash: document.contentHash,
    created_at: timestamp(document.createdAt),
    updated_at: timestamp(document.updatedAt),
    memory_unit_count: unitCount,
  };
}
