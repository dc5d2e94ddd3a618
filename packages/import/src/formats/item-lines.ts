import { assertDocumentId, documentFound } from '../found.ts';
import { toItems } from '../items.ts';
import { firstGiven, firstText, isObject, type RecordFormat } from './record-format.ts';

const known = ['content', 'text', 'event_date', 'date', 'context', 'role', 'metadata', 'document_id'];

/** Items as the API takes them, one a line. Those of one `document_id`, or of no one, make up a document. */
export const itemLines: RecordFormat = {
  recognises: (record) => 'content' in record || 'text' in record,
  read: (record, place, fileId) => {
    if (!isObject(record)) throw new Error('it is no object');
    return [documentFound({ id: documentIdOf(record) ?? fileId, place, items: itemsOf(record) })];
  },
  joinsDocuments: true,
};

function itemsOf(record: Record<string, unknown>) {
  const unknown = Object.keys(record).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`the field '${unknown}' is none of ${known.join(', ')}`);
  const content = firstText(record.content, record.text);
  if (content === undefined) throw new Error('it has no content');
  const { context, role, metadata } = record;
  return toItems({ content, date: firstGiven(record.event_date, record.date), context, role, metadata });
}

function documentIdOf({ document_id }: Record<string, unknown>): string | undefined {
  if (document_id === undefined || document_id === null) return undefined;
  if (typeof document_id !== 'string' || document_id === '') throw new Error('the document_id is not a text');
  // Here, because the document that it is a part of has no line.
  assertDocumentId(document_id);
  return document_id;
}
